import type { OrderHistoryEntry } from '@keyfront/sdk';
import { nameApproval, nameOrder, namePayment } from '../../format/state-names.ts';

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
  if (after.adminApproval !== before.adminApproval) changes.push(nameApproval(after.adminApproval));
  if (after.orderStatus !== before.orderStatus) changes.push(nameOrder(after.orderStatus));
  if (after.paymentStatus !== before.paymentStatus) changes.push(namePayment(after.paymentStatus));
  return changes;
}
