import type { OrderHistoryEntry } from '@keyfront/sdk';

const orderWords: Record<OrderHistoryEntry['orderStatus'], string> = {
  PENDING: 'Placed',
  PROCESSING: 'In preparation',
  SHIPPED: 'Shipped',
  DELIVERED: 'Delivered',
  CANCELLED: 'Cancelled',
};
const paymentWords: Record<OrderHistoryEntry['paymentStatus'], string> = {
  PENDING: 'Payment open',
  PROCESSING: 'Payment in progress',
  PAID: 'Paid',
  FAILED: 'Payment failed',
  REFUNDED: 'Refunded',
};
const approvalWords: Record<OrderHistoryEntry['adminApproval'], string> = {
  PENDING: 'Waiting for approval',
  VERIFIED: 'Approved',
  REJECTED: 'Rejected',
};

type States = Pick<OrderHistoryEntry, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;

/** Every order begins in these states. */
export const firstStates: States = {
  orderStatus: 'PENDING',
  paymentStatus: 'PENDING',
  adminApproval: 'PENDING',
};

/** What differs between two entries of an order's history, in words. */
export function describeChanges(before: States, after: States): string[] {
  const changes: string[] = [];
  if (after.adminApproval !== before.adminApproval) changes.push(approvalWords[after.adminApproval]);
  if (after.orderStatus !== before.orderStatus) changes.push(orderWords[after.orderStatus]);
  if (after.paymentStatus !== before.paymentStatus) changes.push(paymentWords[after.paymentStatus]);
  return changes;
}
