import { findViolatedIndex } from '@keyfront/postgres';
import type { OrderChange, OrderWithLines } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import { explainMetadata } from '../../../database/queries/metadata.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { closeSale } from '../../sales/sale-rules.ts';
import { findOrder } from '../order-queries.ts';
import { throwOrderNotInScope } from '../order-rules.ts';
import { transitionOrder } from './order-state-machine.ts';
import { lockOrder, updateReferences, updateToCancelled } from './order-state-queries.ts';

/**
 * Changes what a holder notes about an order, and cancels it if that is requested and nobody has worked on it: returns the stock and
 * closes the sale.
 */
export async function updateOrder(
  database: Database,
  scope: HolderScope,
  orderId: string,
  change: OrderChange,
): Promise<OrderWithLines> {
  try {
    return await database.transaction(scope, async (tx) => {
      const before = (await lockOrder(tx, orderId)) ?? (await throwOrderNotInScope(database, orderId));
      const { orderStatus = before.orderStatus, externalReference, metadata } = change;
      const transition = transitionOrder('HOLDER', before, { orderStatus });
      if (!transition.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: transition.reason });
      const isNoted = externalReference !== undefined || metadata !== undefined;
      const isCancelled = orderStatus !== before.orderStatus;
      // One pipelined query: the read runs after the writes.
      const [, , order] = await Promise.all([
        isNoted ? updateReferences(tx, orderId, externalReference ?? null, metadata ?? {}) : null,
        isCancelled ? updateToCancelled(tx, orderId) : null,
        findOrder(tx, orderId),
      ]);
      if (!order) throw new ApiError('INTERNAL_ERROR', { cause: 'A locked order does not exist' });
      if (isCancelled) closeSale(tx, orderId);
      return order;
    });
  } catch (error) {
    if (findViolatedIndex(error) === 'orders_external_reference') throw new ApiError('REFERENCE_TAKEN');
    throw explainMetadata(error) ?? error;
  }
}
