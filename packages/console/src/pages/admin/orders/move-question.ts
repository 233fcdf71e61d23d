import type { AdminOrder, AdminOrderChange } from '@keyfront/sdk';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';

type Order = Pick<AdminOrder, 'invoiceNumber' | 'client' | 'totalAmount' | 'paidAmount' | 'currency'>;

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
    const paid =
      order.paidAmount > 0 ? ` ${formatMoney(order.paidAmount, order.currency)} were paid for it.` : '';
    return {
      title: `Cancel ${invoiceNumber}?`,
      effect: `The order of ${name} over ${total} is cancelled for good, and its stock can be sold again.${paid}`,
      confirmLabel: `Cancel ${invoiceNumber}`,
    };
  }
  if (change.orderStatus === 'SHIPPED') {
    return {
      title: `Mark ${invoiceNumber} as shipped?`,
      effect: `The order of ${name} over ${total} can then no longer be cancelled.`,
      confirmLabel: 'Mark as shipped',
    };
  }
  if (change.orderStatus === 'DELIVERED') {
    return {
      title: `Mark ${invoiceNumber} as delivered?`,
      effect: `The order of ${name} over ${total} is then closed for good.`,
      confirmLabel: 'Mark as delivered',
    };
  }
  if (change.paymentStatus === 'PAID') {
    return {
      title: `Note that ${total} were paid?`,
      effect: `${name} has then paid for ${invoiceNumber}. Only a refund takes it back.`,
      confirmLabel: `Note ${total} as paid`,
    };
  }
  if (change.paymentStatus === 'FAILED') {
    return {
      title: `Mark the payment of ${invoiceNumber} as failed?`,
      effect: `${name} has then not paid ${total}. Only the holder can start another payment.`,
      confirmLabel: 'Mark as failed',
    };
  }
  return null;
}
