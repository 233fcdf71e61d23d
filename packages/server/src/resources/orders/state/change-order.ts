import type { AdminOrderChange, OrderWithLines } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { AdministratorScope } from '../../../database/transactions/scope.ts';
import { ApiError, notFound } from '../../../lib/errors/api-error.ts';
import { auditChange } from '../../audit/audit-rules.ts';
import { closeSale } from '../../sales/sale-rules.ts';
import { findOrder } from '../order-queries.ts';
import { isFinal, transitionOrder } from './order-state-machine.ts';
import { lockOrder, updateOrderState } from './order-state-queries.ts';

/** Changes the state of an order for an administrator: returns stock, closes the sale and writes the audit row. */
export async function changeOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  change: AdminOrderChange,
): Promise<OrderWithLines> {
  const { rejectionNote: note, ...requested } = change;
  return database.transaction(scope, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound('Order');
    const { rejectionNote: earlierNote, stockReturnedAt, ...before } = order;
    const transition = transitionOrder('ADMINISTRATOR', before, requested);
    if (!transition.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: transition.reason });
    const after = transition.state;
    if (note !== undefined && after.adminApproval !== 'REJECTED') {
      throw new ApiError('REJECTION_NOTE_REFUSED', { message: 'Only a rejected order has a rejection note' });
    }
    const rejectionNote = note ?? earlierNote;
    const returnsStock = after.orderStatus === 'CANCELLED' && stockReturnedAt === null;
    // One pipelined query: the read runs after the write.
    const [, changed] = await Promise.all([
      updateOrderState(tx, orderId, { ...after, rejectionNote, returnsStock }),
      findOrder(tx, orderId),
    ]);
    if (!changed) throw new ApiError('INTERNAL_ERROR', { cause: 'A locked order does not exist' });
    if (isFinal(after) && !isFinal(before)) closeSale(tx, orderId);
    auditChange(tx, scope, 'ORDER', orderId, {
      before: { ...before, rejectionNote: earlierNote },
      after: { ...after, rejectionNote },
    });
    return changed;
  });
}
