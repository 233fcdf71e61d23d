import type { PaymentStatus } from '@keyfront/protocol';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { formatCents, toAmount, toCents } from '../../../lib/amounts.ts';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { notePayment, refundPayments } from '../../payments/payment-rules.ts';
import type { LockedOrder } from '../order-record.ts';
import { queueOrderState } from '../state/order-state-queries.ts';
import { insertRefund, type RefundInput, type RefundRecord } from './refund-queries.ts';

/** What an order has of payments and refunds. */
type Money = Pick<LockedOrder, 'paymentStatus' | 'paidAmount' | 'refundedAmount'>;

/** What is left of the payments of an order, in cents. */
export function leftOf({ paidAmount, refundedAmount }: LockedOrder): bigint {
  return toCents(paidAmount) - toCents(refundedAmount);
}

/** Throws the 403 if more would be refunded than is left. */
export function requireLeft(leftCents: bigint, cents: bigint, currency: string): void {
  if (cents <= leftCents) return;
  throw new ApiError('REFUND_TOO_LARGE', {
    message: `Of the payment, ${formatCents(leftCents)} ${currency} are left to refund`,
  });
}

interface RecordedRefund extends Omit<Money, 'paidAmount'> {
  readonly refund: RefundRecord;
}

/**
 * Records a refund, of one payment or of the oldest first. The payment of the order is REFUNDED when everything that was paid is
 * refunded.
 */
export async function recordRefund(
  tx: RunInTransaction,
  order: LockedOrder,
  refund: RefundInput,
  paymentId: string | null = null,
): Promise<RecordedRefund> {
  const refundedCents = toCents(order.refundedAmount) + refund.amountCents;
  const isRefunded = refundedCents === toCents(order.paidAmount);
  refundPayments(tx, order.id, refund.amountCents, paymentId);
  const paymentStatus = isRefunded ? 'REFUNDED' : order.paymentStatus;
  const refundedAmount = toAmount(refundedCents);
  queueOrderState(tx, { ...order, paymentStatus, refundedAmount });
  const inserted = await insertRefund(tx, order, refund);
  return { refund: inserted, paymentStatus, refundedAmount };
}

/** Queues a payment of the whole total for the commit. */
export function recordPayment(tx: RunInTransaction, order: LockedOrder): Omit<Money, 'refundedAmount'> {
  const paidAmount = addPayment(order);
  queueOrderState(tx, { ...order, paymentStatus: 'PAID', paidAmount });
  return { paymentStatus: 'PAID', paidAmount };
}

function addPayment({ paidAmount, totalAmount }: LockedOrder): number {
  return toAmount(toCents(paidAmount) + toCents(totalAmount));
}

/**
 * Notes a payment of the whole total, or a refund of everything that is left, if an administrator sets the payment status so. Returns
 * the amounts, which the caller writes with the state.
 */
export async function noteMoney(
  tx: RunInTransaction,
  order: LockedOrder,
  paymentStatus: PaymentStatus,
): Promise<Omit<Money, 'paymentStatus'>> {
  const { paidAmount, refundedAmount } = order;
  if (paymentStatus === 'PAID' && order.paymentStatus !== 'PAID') {
    notePayment(tx, order);
    return { paidAmount: addPayment(order), refundedAmount };
  }
  if (paymentStatus === 'REFUNDED' && order.paymentStatus !== 'REFUNDED') {
    const refund = { amountCents: leftOf(order), reason: 'Noted by an administrator' };
    await insertRefund(tx, order, refund);
    refundPayments(tx, order.id, refund.amountCents, null);
    return { paidAmount, refundedAmount: paidAmount };
  }
  return { paidAmount, refundedAmount };
}
