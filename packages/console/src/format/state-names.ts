import type { Order } from '@keyfront/sdk';

type States = Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;

/** How each state is called, in columns, filters and menus whose title says what it is the state of. */
export const orderNames: Readonly<Record<States['orderStatus'], string>> = {
  PENDING: 'Pending',
  PROCESSING: 'Processing',
  SHIPPED: 'Shipped',
  DELIVERED: 'Delivered',
  CANCELLED: 'Cancelled',
};
export const paymentNames: Readonly<Record<States['paymentStatus'], string>> = {
  PENDING: 'Pending',
  PROCESSING: 'Processing',
  PAID: 'Paid',
  FAILED: 'Failed',
  REFUNDED: 'Refunded',
};
/** Of a client or an order. */
export const approvalNames: Readonly<Record<States['adminApproval'], string>> = {
  PENDING: 'Pending',
  VERIFIED: 'Approved',
  REJECTED: 'Rejected',
};

/** `Order shipped`: the same names where nothing else says what they are about. */
export function nameOrder(status: States['orderStatus']): string {
  return `Order ${orderNames[status].toLowerCase()}`;
}

/** `Payment pending`, or `Paid`. */
export function namePayment(status: States['paymentStatus']): string {
  const name = paymentNames[status];
  return status === 'PAID' || status === 'REFUNDED' ? name : `Payment ${name.toLowerCase()}`;
}

/** `Approval pending`, or `Approved`. */
export function nameApproval(approval: States['adminApproval']): string {
  return approval === 'PENDING' ? 'Approval pending' : approvalNames[approval];
}
