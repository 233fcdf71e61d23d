import type { Order } from '@keyfront/sdk';

/** An amount as customers read it: `€12.50`. */
export function formatPrice(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

/** In UTC, so that the server and the browser write the same. */
export function formatDate(time: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(time));
}

/** A list of words, as the catalogue has them: `calm, happy`. */
export function splitWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

/** What a customer wants to know of an order, in one word or two. */
export function describeStatus(
  order: Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>,
): string {
  if (order.orderStatus === 'CANCELLED') return 'Cancelled';
  if (order.orderStatus === 'DELIVERED') return 'Delivered';
  if (order.orderStatus === 'SHIPPED') return 'Shipped';
  if (order.paymentStatus === 'FAILED') return 'Payment failed';
  if (order.paymentStatus === 'PENDING') return 'Waiting for your payment';
  if (order.paymentStatus === 'PROCESSING') return 'Payment is being checked';
  if (order.orderStatus === 'PROCESSING') return 'Being packed';
  return order.adminApproval === 'VERIFIED' ? 'Approved' : 'Waiting for approval';
}
