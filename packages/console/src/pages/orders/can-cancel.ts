import type { Order } from '@keyfront/sdk';

/** Whether the holder may cancel an order: nobody has worked on it or paid for it. A test compares this with the service. */
export function canCancel({
  orderStatus,
  paymentStatus,
  adminApproval,
}: Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>): boolean {
  const isUnpaid = paymentStatus === 'PENDING' || paymentStatus === 'FAILED';
  return orderStatus === 'PENDING' && adminApproval === 'PENDING' && isUnpaid;
}
