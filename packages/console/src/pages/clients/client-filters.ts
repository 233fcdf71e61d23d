import type { ClientListQuery } from '@keyfront/sdk';
import { readOneOf, readText, removeAbsent } from '../../filters/read-filter.ts';
import { texts } from '../../texts/lists.ts';

/** The filters of the list that stand in its URL. */
export type ClientFilters = Pick<
  ClientListQuery,
  'search' | 'adminApproval' | 'isKYCVerified' | 'status' | 'orderBy'
>;

export const clientSorts = { desc: texts.newestFirst, asc: texts.oldestFirst } as const;

/** The filters of a URL. What is not one is left out. */
export function readClientFilters(search: Record<string, unknown>): ClientFilters {
  return removeAbsent({
    search: readText(search.search),
    adminApproval: readOneOf(['PENDING', 'VERIFIED', 'REJECTED'], search.adminApproval),
    isKYCVerified: readOneOf(['true', 'false'], search.isKYCVerified),
    status: readOneOf(['ACTIVE', 'INACTIVE'], search.status),
    orderBy: readOneOf(['asc', 'desc'], search.orderBy),
  });
}
