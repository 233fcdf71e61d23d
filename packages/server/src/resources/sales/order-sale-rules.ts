import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { advanceOldestLead, closeSaleOf } from './order-sale-queries.ts';

/**
 * The client has ordered: the lead is ongoing and names the order, or a new ongoing sale does. Part of the transaction
 * that places the order.
 */
export function advanceSale(
  run: RunInTransaction,
  scope: HolderScope,
  order: { readonly clientId: string; readonly orderId: string },
): void {
  advanceOldestLead(run, scope, order);
}

/** The order has come to its end, and so has its sale. Part of the transaction that ends it. */
export function closeSale(run: RunInTransaction, orderId: string): void {
  closeSaleOf(run, orderId);
}
