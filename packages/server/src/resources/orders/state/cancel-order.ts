import type { OrderWithLines } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { closeSale } from '../../sales/sale-rules.ts';
import { findOrder } from '../order-queries.ts';
import { throwOrderNotInScope } from '../order-rules.ts';
import { transitionOrder } from './order-state-machine.ts';
import { lockOrder, updateToCancelled } from './order-state-queries.ts';

/** Cancels an order for its holder, if nobody has worked on it: returns the stock and closes the sale. */
export function cancelOrder(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<OrderWithLines> {
  return database.transaction(scope, async (tx) => {
    const before = (await lockOrder(tx, orderId)) ?? (await throwOrderNotInScope(database, orderId));
    const transition = transitionOrder('HOLDER', before, { orderStatus: 'CANCELLED' });
    if (!transition.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: transition.reason });
    const isCancelled = before.orderStatus === 'CANCELLED';
    // One pipelined query: the read runs after the write.
    const [, order] = await Promise.all([
      isCancelled ? null : updateToCancelled(tx, orderId),
      findOrder(tx, orderId),
    ]);
    if (!order) throw new ApiError('INTERNAL_ERROR', { cause: 'A locked order does not exist' });
    if (!isCancelled) closeSale(tx, orderId);
    return order;
  });
}
