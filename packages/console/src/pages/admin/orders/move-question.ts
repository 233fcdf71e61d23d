import type { AdminOrder, AdminOrderChange } from '@keyfront/sdk';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { refundableCents } from './order-rest.ts';

type Order = Pick<
  AdminOrder,
  'invoiceNumber' | 'client' | 'totalAmount' | 'paidAmount' | 'refundedAmount' | 'paymentStatus' | 'currency'
>;

/** What somebody is asked before a move that cannot be taken back. */
export interface MoveQuestion {
  readonly title: string;
  readonly effect: string;
  readonly confirmLabel: string;
}

/**
 * What to ask before a move. Null for work that has begun: no move goes back, but after this one everything else is still possible.
 */
export function askBeforeMove(order: Order, change: AdminOrderChange): MoveQuestion | null {
  const { invoiceNumber } = order;
  const name = fullName(order.client);
  const total = formatMoney(order.totalAmount, order.currency);
  if (change.orderStatus === 'CANCELLED') {
    const paidCents = refundableCents(order);
    const paid =
      paidCents > 0 ? texts.paidAmountBecomesRefundDue(formatMoney(paidCents / 100, order.currency)) : '';
    return {
      title: texts.cancelInvoiceNumber(invoiceNumber),
      effect: texts.cancelEffect(name, total, paid),
      confirmLabel: texts.cancelInvoiceNumberButton(invoiceNumber),
    };
  }
  if (change.orderStatus === 'SHIPPED') {
    return {
      title: texts.markInvoiceNumberAsShipped(invoiceNumber),
      effect: texts.shippedEffect(name, total),
      confirmLabel: texts.markAsShipped,
    };
  }
  if (change.orderStatus === 'DELIVERED') {
    return {
      title: texts.markInvoiceNumberAsDelivered(invoiceNumber),
      effect: texts.deliveredEffect(name, total),
      confirmLabel: texts.markAsDelivered,
    };
  }
  if (change.paymentStatus === 'PAID') {
    return {
      title: texts.noteThatTotalWerePaid(total),
      effect: texts.paidEffect(name, invoiceNumber),
      confirmLabel: texts.noteTotalAsPaid(total),
    };
  }
  if (change.paymentStatus === 'FAILED') {
    return {
      title: texts.markPaymentOfInvoiceNumberAsFailed(invoiceNumber),
      effect: texts.failedPaymentEffect(name, total),
      confirmLabel: texts.markAsFailed,
    };
  }
  return null;
}
