import type { ClientListQuery } from '@keyfront/protocol';
import type { ClientFilter } from './client-list-queries.ts';

/** Reads the filter of a query. An empty value means no filter. */
export function readClientFilter(query: ClientListQuery): ClientFilter {
  return {
    search: query.search || null,
    adminApproval: query.adminApproval || null,
    isActive: readBoolean(query.isActive),
    isKYCVerified: readBoolean(query.isKYCVerified),
  };
}

function readBoolean(value: '' | 'true' | 'false' = ''): boolean | null {
  return value === '' ? null : value === 'true';
}
