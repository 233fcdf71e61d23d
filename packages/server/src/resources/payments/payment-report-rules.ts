import type { PaymentReport, PaymentReportResult, PaymentStatus } from '@keyfront/protocol';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { toCents } from '../../lib/amounts.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange } from '../audit/audit-rules.ts';
import { transitionOrder } from '../orders/state/order-state-machine.ts';
import { explainTransition, paymentTransitions } from '../states/transitions.ts';
import {
  lockReportedCheckout,
  type PayableOrder,
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
  const checkoutStatus = requireOpen(checkout);
  checkAmount(order, report);
  const reason = explainTransition('A payment', paymentTransitions.PROVIDER, checkoutStatus, status);
  if (reason !== null) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: reason });
  const transition = transitionOrder('PROVIDER', order, { paymentStatus: status });
  if (!transition.ok) throw new ApiError('ORDER_TRANSITION_REFUSED', { message: transition.reason });
  if (checkout.status !== status) updateCheckout(tx, checkout.id, status);
  if (order.paymentStatus !== status) {
    updatePaymentStatus(tx, order.id, status);
    auditChange(tx, { provider: 'PAYMENT' }, 'ORDER', order.id, {
      before: { paymentStatus: order.paymentStatus },
      after: { paymentStatus: status },
    });
  }
  return { reference, status };
}

function checkAmount({ totalAmount, currency }: PayableOrder, report: PaymentReport): void {
  if (toCents(report.amount) === toCents(totalAmount) && report.currency === currency) return;
  throw new ApiError('PAYMENT_AMOUNT_MISMATCH', {
    message: `The order amounts to ${totalAmount.toFixed(2)} ${currency}`,
  });
}

/**
 * Refuses a report about a checkout that can no longer be paid. An expired link is not a reason: the customer may have paid
 * in the last moment. A checkout that was replaced is one, because the order may be paid by its successor.
 */
function requireOpen({ status, isReplaced }: ReportedCheckout): PaymentStatus {
  if (isReplaced || status === 'CANCELLED' || status === 'EXPIRED') throw new ApiError('CHECKOUT_CLOSED');
  return status;
}
