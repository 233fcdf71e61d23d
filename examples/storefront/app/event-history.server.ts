import type { KeyfrontEvent } from '@keyfront/sdk';
import { database } from './database.server.ts';
import { formatDate } from './format.ts';

/** Whom an event is about, or null if it is about no customer. */
export function subjectOf(event: KeyfrontEvent): { clientId: string; orderId: string | null } | null {
  const { type, data } = event;
  if (type.startsWith('client.') && 'id' in data) return { clientId: String(data.id), orderId: null };
  if (!('client' in data) || !data.client) return null;
  if (type.startsWith('shipment.') && 'orderId' in data)
    return { clientId: data.client.id, orderId: String(data.orderId) };
  return /^(order|payment)\./.test(type) ? { clientId: data.client.id, orderId: String(data.id) } : null;
}

/** Keeps an event. Returns false if it is there already: events arrive at least once, and sometimes twice. */
export function keepEvent(
  { id, type, createdAt }: KeyfrontEvent,
  clientId: string,
  orderId: string | null,
): boolean {
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)')
    .run(id, type, clientId, orderId, createdAt);
  return changes > 0;
}

/** What customers read of the events of an order. A type without a text is not shown. */
const texts: Readonly<Record<string, string>> = {
  'order.created': 'Ordered',
  'order.approved': 'Approved',
  'order.rejected': 'Rejected',
  'order.processing': 'Being packed',
  'order.shipped': 'Shipped',
  'order.delivered': 'Delivered',
  'order.cancelled': 'Cancelled',
  'payment.paid': 'Paid',
  'payment.failed': 'Payment failed',
  'payment.refunded': 'Money was refunded',
  'shipment.created': 'A parcel was sent',
};

/** What has happened to an order, the oldest first: ids of events are in the order in which they happened. */
export function listHistory(orderId: string): { id: string; text: string; date: string }[] {
  const rows = database
    .prepare('SELECT id, type, created_at FROM events WHERE order_id = ? ORDER BY id')
    .all(orderId) as { id: string; type: string; created_at: string }[];
  return rows.flatMap(({ id, type, created_at }) => {
    const text = texts[type];
    return text ? [{ id, text, date: formatDate(created_at) }] : [];
  });
}

/** Forgets the events of a customer who is gone. */
export function forgetEvents(clientId: string): void {
  database.prepare('DELETE FROM events WHERE client_id = ?').run(clientId);
}
