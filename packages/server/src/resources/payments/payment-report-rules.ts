import type { PaymentReport, PaymentReportResult, PaymentStatus } from '@keyfront/protocol';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { toCents } from '../../lib/amounts.ts';
import { ApiError, notFound, validationFailed } from '../../lib/errors/api-error.ts';
import { auditChange } from '../audit/audit-rules.ts';
import { recordPayment, recordRefund, requireLeft } from '../orders/money/record-money.ts';
import { transitionOrder } from '../orders/state/order-state-machine.ts';
import { explainTransition, paymentTransitions } from '../states/transitions.ts';
import {
  lockReportedCheckout,
  type Reported,
  type ReportedCheckout,
  updateCheckout,
  updatePaymentStatus,
} from './payment-queries.ts';

/** Applies the report of the payment provider to the checkout and its order, with an audit row. */
export async function applyPaymentReport(
  tx: RunInTransaction,
  report: PaymentReport,
): Promise<PaymentReportResult> {
  const { reference, status } = report;
  const reported = await lockReportedCheckout(tx, reference);
  if (!reported) throw notFound('Reference');
  const { order, checkout } = reported;
  // Money that arrives for an order that is cancelled or refunded is recorded, whatever became of the link.
  const isOver = order.orderStatus === 'CANCELLED' || order.paymentStatus === 'REFUNDED';
  const isLate = status === 'PAID' && isOver && checkout.status !== 'REFUNDED';
  if (!isLate) requireOpen(checkout);
  checkAmount(order, report);
  if (checkout.status === status) return { reference, status };
  if (!isLate) requireTransition(reported, status);
  const change =
    status === 'PAID'
      ? applyPayment(tx, reported)
      : status === 'REFUNDED'
        ? await applyRefund(tx, reported, toCents(report.amount))
        : applyProgress(tx, reported, status);
  const { status: statusAfter = status, ...after } = change;
  auditChange(tx, { provider: 'PAYMENT' }, 'ORDER', order.id, { before: { ...order }, after });
  return { reference, status: statusAfter };
}

type Change = Partial<Pick<Reported['order'], 'paymentStatus' | 'paidAmount' | 'refundedAmount'>> & {
  /** Of this payment, where it is not the one of the report. */
  readonly status?: PaymentStatus;
};

/** The payment goes on, or has failed. */
function applyProgress(tx: RunInTransaction, { order, checkout }: Reported, status: PaymentStatus): Change {
  updateCheckout(tx, checkout.id, status);
  if (order.paymentStatus !== status) updatePaymentStatus(tx, order.id, status);
  return { paymentStatus: status };
}

/** Money has arrived. */
function applyPayment(tx: RunInTransaction, { order, checkout }: Reported): Change {
  updateCheckout(tx, checkout.id, 'PAID');
  return recordPayment(tx, order);
}

/** Money went back, all of it or a part. */
async function applyRefund(
  tx: RunInTransaction,
  { order, checkout }: Reported,
  amountCents: bigint,
): Promise<Change> {
  if (amountCents === 0n && order.totalAmount > 0) throw validationFailed(['amount must be greater than 0']);
  const leftCents = toCents(order.totalAmount) - toCents(checkout.refundedAmount);
  requireLeft(leftCents, amountCents, order.currency);
  const refund = { amountCents, reason: 'Reported by the payment provider' };
  const { paymentStatus, refundedAmount } = await recordRefund(tx, order, refund, checkout.id);
  // After the refund of a part, the payment is still PAID.
  return { paymentStatus, refundedAmount, ...(amountCents < leftCents ? { status: 'PAID' } : {}) };
}

/** A payment is of the whole total, and a refund may be of a part. */
function checkAmount(
  { totalAmount, currency }: Reported['order'],
  { amount, status, ...report }: PaymentReport,
): void {
  const isRight = status === 'REFUNDED' || toCents(amount) === toCents(totalAmount);
  if (isRight && report.currency === currency) return;
  throw new ApiError('PAYMENT_AMOUNT_MISMATCH', {
    message: `The order amounts to ${totalAmount.toFixed(2)} ${currency}`,
  });
}

/**
 * Refuses a report about a checkout that can no longer be paid. An expired link is not a reason: the customer may have paid
 * in the last moment. A checkout that was replaced is one, because the order may be paid by its successor. But one that was paid all the
 * same, because the order is cancelled, can be refunded.
 */
function requireOpen({ status, isReplaced }: ReportedCheckout): void {
  if (status === 'PAID' || status === 'REFUNDED') return;
  if (isReplaced || status === 'CANCELLED' || status === 'EXPIRED') throw new ApiError('CHECKOUT_CLOSED');
}

function requireTransition({ order, checkout }: Reported, status: PaymentStatus): void {
  const before = checkout.status as PaymentStatus;
  const reason = explainTransition('A payment', paymentTransitions.PROVIDER, before, status);
  if (reason !== null) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: reason });
  const transition = transitionOrder('PROVIDER', order, { paymentStatus: status });
  if (!transition.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: transition.reason });
}
