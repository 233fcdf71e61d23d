import type { AdminOrderChange, OrderWithLines } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { AdministratorScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../../lib/errors/api-error.ts';
import { auditChange } from '../../audit/audit-rules.ts';
import { closeSale } from '../../sales/sale-rules.ts';
import { noteMoney } from '../money/record-money.ts';
import { findOrder } from '../order-queries.ts';
import { isAnySent } from '../to-lines.ts';
import { isFinal, isWorkedOn, type OrderState, transitionOrder } from './order-state-machine.ts';
import { lockOrderWithLines, updateOrderState } from './order-state-queries.ts';

/** Approves or rejects an order. Returns whether that has changed anything. */
export async function decideOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  decision: Pick<AdminOrderChange, 'adminApproval' | 'rejectionNote'>,
): Promise<boolean> {
  return database.transaction(scope, async (tx) => {
    const { before, after, written } = await change(tx, scope, orderId, decision);
    await written;
    // Whoever corrects a note says so with PATCH. A decision about what somebody else has rejected meanwhile must not replace theirs.
    if (before.orderStatus === 'CANCELLED' && before.rejectionNote !== after.rejectionNote) {
      throw new ApiError('ORDER_CLOSED', { message: 'A cancelled order cannot be decided' });
    }
    return before.adminApproval !== after.adminApproval || before.rejectionNote !== after.rejectionNote;
  });
}

/** Changes the state of an order for an administrator: returns stock, closes the sale and writes the audit row. */
export async function changeOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  requested: AdminOrderChange,
): Promise<OrderWithLines> {
  return database.transaction(scope, async (tx) => {
    const { written } = await change(tx, scope, orderId, requested);
    // One pipelined query: the read runs after the write.
    const [, order] = await Promise.all([written, findOrder(tx, orderId)]);
    if (!order) throw new ApiError('INTERNAL_ERROR', { cause: 'A locked order does not exist' });
    return order;
  });
}

interface Change {
  readonly before: NotedState;
  readonly after: NotedState;
  /** Resolves when the state is written. */
  readonly written: Promise<void>;
}

type NotedState = OrderState & { readonly rejectionNote: string | null };

async function change(
  tx: RunInTransaction,
  scope: AdministratorScope,
  orderId: string,
  { rejectionNote: note, ...requested }: AdminOrderChange,
): Promise<Change> {
  const locked = await lockOrderWithLines(tx, orderId);
  if (!locked) throw notFound('Order');
  const { order, lines } = locked;
  const { stockReturnedAt, orderStatus, paymentStatus, adminApproval, rejectionNote } = order;
  const before = { orderStatus, paymentStatus, adminApproval, rejectionNote };
  const transition = transitionOrder('ADMINISTRATOR', order, requested);
  if (!transition.ok) throw new ApiError(transition.code, { message: transition.reason });
  const { state } = transition;
  if (state.orderStatus === 'CANCELLED' && isAnySent(lines)) {
    throw new ApiError('ORDER_TRANSITION_REFUSED', {
      message: 'An order of which a parcel was sent cannot be cancelled: refund it',
    });
  }
  const isSent = orderStatus === 'SHIPPED' || isAnySent(lines);
  if (paymentStatus === 'REFUNDED' && !isSent && !isFinal(order) && isWorkedOn(state)) {
    throw new ApiError('ORDER_CLOSED', { message: 'An order that was refunded is not sent any more' });
  }
  if (note !== undefined && state.adminApproval !== 'REJECTED') {
    throw new ApiError('REJECTION_NOTE_REFUSED', { message: 'Only a rejected order has a rejection note' });
  }
  const after: NotedState = {
    orderStatus: state.orderStatus,
    paymentStatus: state.paymentStatus,
    adminApproval: state.adminApproval,
    rejectionNote: note ?? rejectionNote,
  };
  const returnsStock = after.orderStatus === 'CANCELLED' && stockReturnedAt === null;
  const money = await noteMoney(tx, order, after.paymentStatus);
  const written = updateOrderState(tx, orderId, {
    ...after,
    ...money,
    returnedAmount: order.returnedAmount,
    returnsStock,
  });
  if (isFinal(after) && !isFinal(before)) closeSale(tx, orderId);
  auditChange(tx, scope, 'ORDER', orderId, { before, after: { ...after } });
  return { before, after, written };
}
