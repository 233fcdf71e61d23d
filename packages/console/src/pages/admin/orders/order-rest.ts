import type { AdminOrderDetails, NewRefund, OrderLine } from '@keyfront/sdk';
import { toCents } from '../../../format/read-cents.ts';

type LineQuantity = AdminOrderDetails['shipments'][number]['orderLines'][number];
type Sent = Pick<
  AdminOrderDetails,
  'orderStatus' | 'paymentStatus' | 'adminApproval' | 'orderLines' | 'shipments' | 'refunds'
>;
type Paid = Pick<AdminOrderDetails, 'paymentStatus' | 'paidAmount' | 'refundedAmount'>;

/** A line, and how many units of it something can still be done with. */
export interface LineRest {
  readonly line: OrderLine;
  readonly quantity: number;
}

// The service has the same rules, and a test compares them in many histories of an order.

/** What can still be sent. A unit that was refunded is not sent any more. */
export function leftToSend(order: Sent): LineRest[] {
  const isRefunded = order.paymentStatus === 'REFUNDED';
  const isClosed = isRefunded || order.orderStatus === 'CANCELLED' || order.orderStatus === 'DELIVERED';
  if (isClosed || order.adminApproval !== 'VERIFIED') return [];
  return restOf(order.orderLines, [...order.shipments, ...order.refunds]);
}

/** The lines of which something can still be refunded. */
export function leftToRefund({ orderLines, refunds }: Pick<Sent, 'orderLines' | 'refunds'>): LineRest[] {
  return restOf(orderLines, refunds);
}

/** What of the payments can still be refunded, in cents. */
export function refundableCents({ paymentStatus, paidAmount, refundedAmount }: Paid): number {
  return paymentStatus === 'PAID' ? toCents(paidAmount) - toCents(refundedAmount) : 0;
}

/** What a refund of these lines costs, in cents. */
export function priceOf(lines: readonly OrderLine[], quantities: NewRefund['orderLines'] = []): number {
  const unitCents = new Map(lines.map(({ id, productAmount }) => [id, toCents(productAmount)]));
  return quantities.reduce((sum, { id, quantity }) => sum + quantity * (unitCents.get(id) ?? 0), 0);
}

/** All units that can be chosen. */
export function everything(rest: readonly LineRest[]): Record<string, string> {
  return Object.fromEntries(rest.map(({ line, quantity }) => [line.id, String(quantity)]));
}

/** The lines of a request. Null if a quantity is no number of units that can be chosen, or none is. */
export function readQuantities(
  rest: readonly LineRest[],
  quantities: Readonly<Record<string, string>>,
): NonNullable<NewRefund['orderLines']> | null {
  const lines = rest.map(({ line, quantity: available }) => {
    const text = (quantities[line.id] ?? '').trim();
    const quantity = /^\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
    return { id: line.id, quantity: quantity <= available ? quantity : Number.NaN };
  });
  const chosen = lines.filter(({ quantity }) => quantity !== 0);
  return chosen.length === 0 || chosen.some(({ quantity }) => Number.isNaN(quantity)) ? null : chosen;
}

function restOf(
  lines: readonly OrderLine[],
  taken: readonly { readonly orderLines: readonly LineQuantity[] }[],
): LineRest[] {
  const takenById = new Map<string, number>();
  for (const { id, quantity } of taken.flatMap(({ orderLines }) => orderLines)) {
    takenById.set(id, (takenById.get(id) ?? 0) + quantity);
  }
  return lines
    .map((line) => ({ line, quantity: line.quantity - (takenById.get(line.id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}
