import { type ClientListQuery, clientSearchFields } from '@keyfront/protocol';
import type { ClientFilter } from './client-list-queries.ts';

type YesOrNo = '' | 'true' | 'false' | undefined;

/** Reads the filter of a query. An empty value means no filter. */
export function readClientFilter(query: ClientListQuery): ClientFilter {
  const { search, searchBy, status, adminApproval, orderBy } = query;
  return {
    search: search ? { text: search, by: searchBy ? [searchBy] : clientSearchFields } : null,
    adminApproval: adminApproval || null,
    isActive: intersect(readYesOrNo(query.isActive), status ? status === 'ACTIVE' : null),
    isKYCVerified: intersect(readYesOrNo(query.isKYCVerified), readYesOrNo(query.kyc)),
    direction: orderBy || 'desc',
  };
}

function readYesOrNo(value: YesOrNo): boolean | null {
  return value ? value === 'true' : null;
}

/** Returns the values that two filters of the same field accept: null for all, and none if they contradict each other. */
function intersect(one: boolean | null, other: boolean | null): boolean[] | null {
  const wanted = [one, other].filter((value) => value !== null);
  if (wanted.length === 0) return null;
  return [true, false].filter((value) => wanted.every((each) => each === value));
}
