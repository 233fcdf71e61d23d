import type { AdminOrderChange, OrderWithLines } from '@keyfront/protocol';
import { ApiError, notFound } from '../../../api-error.ts';
import type { Database } from '../../../database/database.ts';
import type { AdministratorScope } from '../../../database/scope.ts';
import { auditChange } from '../../audit/audit-rules.ts';
import { closeSale } from '../../sales/order-sale-rules.ts';
import { findOrder } from '../order-queries.ts';
import { isOver, moveOrder } from './order-state-machine.ts';
import { lockOrder, writeMove } from './order-state-queries.ts';

/** Moves an order on, as administrators do: with its consequences for stock and sale, and with a row of audit. */
export async function changeOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  change: AdminOrderChange,
): Promise<OrderWithLines> {
  const { rejectionNote: note, ...asked } = change;
  return database.transaction(scope, async (run) => {
    const order = await lockOrder(run, orderId);
    if (!order) throw notFound('Order');
    const { rejectionNote: earlierNote, stockReturnedAt, ...before } = order;
    const move = moveOrder(before, asked);
    if (!move.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: move.reason });
    const after = move.state;
    if (note !== undefined && after.adminApproval !== 'REJECTED') {
      throw new ApiError('REJECTION_NOTE_REFUSED', { message: 'Only a rejected order has a rejection note' });
    }
    const rejectionNote = note ?? earlierNote;
    const returnsStock = after.orderStatus === 'CANCELLED' && stockReturnedAt === null;
    // In one flight: the order is read once it is written.
    const [, changed] = await Promise.all([
      writeMove(run, orderId, { ...after, rejectionNote, returnsStock }),
      findOrder(run, orderId),
    ]);
    if (!changed) throw new ApiError('INTERNAL_ERROR', { cause: 'An order vanished under its own lock' });
    if (isOver(after) && !isOver(before)) closeSale(run, orderId);
    auditChange(run, scope, 'ORDER', orderId, {
      before: { ...before, rejectionNote: earlierNote },
      after: { ...after, rejectionNote },
    });
    return changed;
  });
}
