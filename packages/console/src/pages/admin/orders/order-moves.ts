import type { AdminOrder, OrderStatus, PaymentStatus } from '@keyfront/sdk';

type States = Pick<AdminOrder, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;

// The service has the same rules, and a test compares them for every state.

const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  CANCELLED: [],
};

const paymentMoves: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  PENDING: ['PROCESSING', 'PAID', 'FAILED'],
  PROCESSING: ['PAID', 'FAILED'],
  PAID: [],
  FAILED: [],
  REFUNDED: [],
};

/** Where an administrator may move an order to. Nobody works on an order that is not approved. */
export function orderMovesOf({ orderStatus, adminApproval }: States): readonly OrderStatus[] {
  if (orderStatus === 'PENDING' && adminApproval === 'PENDING') return ['CANCELLED'];
  return orderMoves[orderStatus];
}

/**
 * Where an administrator may move the payment of an order to. Nobody begins to pay for a cancelled order. A payment is refunded in
 * the dialog that names the amount, never by a move.
 */
export function paymentMovesOf({ orderStatus, paymentStatus }: States): readonly PaymentStatus[] {
  if (orderStatus === 'CANCELLED' && paymentStatus === 'PENDING') return ['PAID', 'FAILED'];
  return paymentMoves[paymentStatus];
}

/** Whether an administrator may decide so about an order. A rejection cancels it, which is too late once it is shipped or cancelled. */
export function canDecide(
  { orderStatus, adminApproval }: States,
  decision: 'VERIFIED' | 'REJECTED',
): boolean {
  if (orderStatus === 'CANCELLED') return false;
  if (decision === 'VERIFIED') return adminApproval === 'PENDING';
  return adminApproval !== 'REJECTED' && orderStatus !== 'SHIPPED' && orderStatus !== 'DELIVERED';
}
