import type { Order } from '@keyfront/sdk';
import type { Tone } from '../../components/status-badge.tsx';

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
  if (refundDue > 0) return { label: 'Refund due', tone: 'bad' };
  if (adminApproval === 'REJECTED') return { label: 'Rejected', tone: 'bad' };
  if (paymentStatus === 'REFUNDED') return { label: 'Refunded', tone: 'neutral' };
  if (orderStatus === 'CANCELLED') return { label: 'Cancelled', tone: 'neutral' };
  const isPaid = paymentStatus === 'PAID';
  const sent = nameSent(orderStatus, parcels);
  // What has left the house without being paid for waits for the money.
  if (sent) return isPaid ? sent : { label: `${sent.label}, unpaid`, tone: 'warn' };
  if (adminApproval === 'PENDING') return { label: 'To approve', tone: 'warn' };
  if (isPaid) return { label: 'To ship', tone: 'info' };
  return unpaid[paymentStatus];
}

const unpaid = {
  PENDING: { label: 'To pay', tone: 'accent' },
  PROCESSING: { label: 'Payment under way', tone: 'accent' },
  FAILED: { label: 'Payment failed', tone: 'bad' },
} as const;

function nameSent(orderStatus: Order['orderStatus'], parcels: number): OrderState | undefined {
  if (orderStatus === 'DELIVERED') return { label: 'Delivered', tone: 'good' };
  if (orderStatus === 'SHIPPED') return { label: 'Sent', tone: 'info' };
  return parcels > 0 ? { label: 'Part sent', tone: 'info' } : undefined;
}
