import type { Order } from '@keyfront/sdk';
import type { Tone } from '../../components/status-badge.tsx';
import { texts } from '../../texts/order-table.ts';

type States = Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval' | 'refundDue'>;

/** One state in place of three, with what happens next. */
export interface OrderState {
  readonly label: string;
  readonly tone: Tone;
}

/**
 * What an order waits for, or how it has ended. Money that is owed comes first, whatever else became of the order. A list does not know
 * the parcels, and says `To ship` as long as not everything was sent.
 */
export function summariseOrder(
  { orderStatus, paymentStatus, adminApproval, refundDue }: States,
  parcels = 0,
): OrderState {
  if (refundDue > 0) return { label: texts.refundDue, tone: 'bad' };
  if (adminApproval === 'REJECTED') return { label: texts.rejected, tone: 'bad' };
  if (paymentStatus === 'REFUNDED') return { label: texts.refunded, tone: 'neutral' };
  if (orderStatus === 'CANCELLED') return { label: texts.cancelled, tone: 'neutral' };
  const isPaid = paymentStatus === 'PAID';
  const sent = nameSent(orderStatus, parcels);
  // What has left the house without being paid for waits for the money.
  if (sent) return isPaid ? sent : { label: `${sent.label}, unpaid`, tone: 'warn' };
  if (adminApproval === 'PENDING') return { label: texts.toApprove, tone: 'warn' };
  if (isPaid) return { label: texts.toShip, tone: 'info' };
  return unpaid[paymentStatus];
}

const unpaid = {
  PENDING: { label: texts.toPay, tone: 'accent' },
  PROCESSING: { label: texts.paymentUnderWay, tone: 'accent' },
  FAILED: { label: texts.paymentFailed, tone: 'bad' },
} as const;

function nameSent(orderStatus: Order['orderStatus'], parcels: number): OrderState | undefined {
  if (orderStatus === 'DELIVERED') return { label: texts.delivered, tone: 'good' };
  if (orderStatus === 'SHIPPED') return { label: texts.sent, tone: 'info' };
  return parcels > 0 ? { label: texts.partSent, tone: 'info' } : undefined;
}
