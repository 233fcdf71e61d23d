import type { ClientListQuery } from '@keyfront/protocol';
import type { ClientFilter } from './client-queries.ts';

/** The filter that a query means; one that is empty is none. */
export function readFilter(query: ClientListQuery): ClientFilter {
  return {
    search: query.search || null,
    adminApproval: query.adminApproval || null,
    isActive: readYesOrNo(query.isActive),
    isKYCVerified: readYesOrNo(query.isKYCVerified),
  };
}

function readYesOrNo(value: '' | 'true' | 'false' = ''): boolean | null {
  return value === '' ? null : value === 'true';
}
