import { readTokenId, removeAbsent } from '../../../filters/read-filter.ts';
import { type OrderFilters, readOrderFilters } from '../../orders/order-filters.ts';

/** The filters of the list that stand in its URL. */
export type AdminOrderFilters = OrderFilters & { readonly tokenId?: string };

/** The orders that wait for a decision. One that was cancelled before its decision waits for none. */
export const waitingOrders = { status: 'PENDING', adminApproval: 'PENDING' } as const;

/** The filters of a URL. What is not one is left out. */
export function readAdminOrderFilters(search: Record<string, unknown>): AdminOrderFilters {
  return { ...readOrderFilters(search), ...removeAbsent({ tokenId: readTokenId(search.tokenId) }) };
}
