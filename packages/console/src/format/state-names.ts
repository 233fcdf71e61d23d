import type { Order } from '@keyfront/sdk';
import { texts } from '../texts/format.ts';

type States = Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;

/** How each state is called, in columns, filters and menus whose title says what it is the state of. */
export const orderNames: Readonly<Record<States['orderStatus'], string>> = {
  PENDING: texts.pending,
  PROCESSING: texts.processing,
  SHIPPED: texts.shipped,
  DELIVERED: texts.delivered,
  CANCELLED: texts.cancelled,
};
export const paymentNames: Readonly<Record<States['paymentStatus'], string>> = {
  PENDING: texts.pending,
  PROCESSING: texts.processing,
  PAID: texts.paid,
  FAILED: texts.failed,
  REFUNDED: texts.refunded,
};
/** Of a client or an order. */
export const approvalNames: Readonly<Record<States['adminApproval'], string>> = {
  PENDING: texts.pending,
  VERIFIED: texts.approved,
  REJECTED: texts.rejected,
};

/** `Order shipped`: the same names where nothing else says what they are about. */
export function nameOrder(status: States['orderStatus']): string {
  return texts.orderStatus(orderNames[status].toLowerCase());
}

/** `Payment pending`, or `Paid`. */
export function namePayment(status: States['paymentStatus']): string {
  const name = paymentNames[status];
  return status === 'PAID' || status === 'REFUNDED' ? name : texts.paymentName(name.toLowerCase());
}

/** `Approval pending`, or `Approved`. */
export function nameApproval(approval: States['adminApproval']): string {
  return approval === 'PENDING' ? texts.approvalPending : approvalNames[approval];
}
