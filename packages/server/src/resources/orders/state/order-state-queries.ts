import { statement } from '@keyfront/postgres';
import { mergeMetadata } from '../../../database/queries/metadata.ts';
import { query } from '../../../database/queries/query.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { formatCents, toCents } from '../../../lib/amounts.ts';
import { type LockedOrder, lockedOrderColumns } from '../order-record.ts';
import type { LockedLine, StoredQuantity } from '../to-lines.ts';
import type { OrderState } from './order-state-machine.ts';

/** Locks an order until the transaction ends and returns its state. Returns null if it does not exist. */
export const lockOrder = query<LockedOrder>(
  'orders.lock',
  `SELECT ${lockedOrderColumns} FROM orders WHERE id = $1 FOR NO KEY UPDATE`,
).find((orderId: string) => [orderId]);

const listLines = query<LockedLine>(
  'orders.list-lines',
  `SELECT line_number AS number, strain_name AS name, unit_price AS "unitPrice", quantity, shipped_quantity AS "shippedQuantity",
     refunded_quantity AS "refundedQuantity"
   FROM order_lines WHERE order_id = $1 ORDER BY line_number`,
).list((orderId: string) => [orderId]);

/**
 * The same, with the lines of the order. Nobody else changes them until the transaction ends. They are read by a statement of their own: one
 * that has waited for a lock sees the locked row as it is now, and everything else as it was before.
 */
export async function lockOrderWithLines(
  tx: RunInTransaction,
  orderId: string,
): Promise<{ readonly order: LockedOrder; readonly lines: LockedLine[] } | null> {
  // One round trip. The second statement runs after the lock.
  const [order, lines] = await Promise.all([lockOrder(tx, orderId), listLines(tx, orderId)]);
  return order && { order, lines };
}

const update = statement(
  'orders.update-state',
  `UPDATE orders SET order_status = $2, payment_status = $3, admin_approval = $4, rejection_note = $5,
     stock_returned_at = CASE WHEN $6 THEN now() ELSE stock_returned_at END, paid_amount = $7, refunded_amount = $8,
     returned_amount = $9
   WHERE id = $1 AND ($6 OR (order_status, payment_status, admin_approval, rejection_note, paid_amount, refunded_amount,
     returned_amount) IS DISTINCT FROM ($2, $3, $4, $5, $7::numeric, $8::numeric, $9::numeric))`,
);

export interface NewOrderState extends OrderState {
  readonly rejectionNote: string | null;
  readonly paidAmount: number;
  readonly refundedAmount: number;
  readonly returnedAmount: number;
  /** Whether this change returns the stock of the order. */
  readonly returnsStock: boolean;
}

// A line returns its stock to the location that it came from: that of its strain in the country of the order. Orders that were placed
// before there were locations name no country. They return it to the country of the client, or to the first one of the strain.
// Locks locations in the order of their ids, as checkout does, to prevent deadlocks.
const composeReturn = (name: string, units: string) =>
  statement(
    name,
    `WITH returned AS (
     SELECT location.id, sum(${units}) AS quantity
     FROM orders JOIN clients ON clients.id = orders.client_id JOIN order_lines ON order_lines.order_id = orders.id
     CROSS JOIN LATERAL (
       SELECT id FROM strain_locations WHERE strain_id = order_lines.strain_id
       ORDER BY country_code <> coalesce(orders.shipping->>'countryCode', clients.shipping_country_code), country_code
       LIMIT 1
     ) AS location
     WHERE orders.id = ANY ($1::uuid[]) AND ${units} > 0
     GROUP BY location.id
   ), locked AS (
     SELECT strain_locations.id, strain_locations.stock_quantity AS earlier_stock, returned.quantity
     FROM returned JOIN strain_locations USING (id)
     ORDER BY id FOR NO KEY UPDATE OF strain_locations
   ), restocked AS (
     UPDATE strain_locations SET stock_quantity = least(stock_quantity::bigint + locked.quantity, 2147483647)
     FROM locked WHERE strain_locations.id = locked.id
     RETURNING strain_locations.id, strain_locations.strain_id, locked.earlier_stock
   )
   SELECT record_stock_event('strain.back_in_stock', strain_id, id, 0) FROM restocked WHERE earlier_stock = 0`,
    { indexScansOnly: true },
  );

// A refund has said of its units whether they came back to the stock.
const returnStockOf = composeReturn(
  'orders.return-stock',
  'order_lines.quantity - order_lines.refunded_quantity',
);
// $2 numbers of lines, $3 their units.
const returnUnitsOf = composeReturn(
  'orders.return-units',
  'coalesce(($3::integer[])[array_position($2::smallint[], order_lines.line_number)], 0)',
);

/** Queues for the commit that the stock of whole orders comes back. */
export function returnStock(tx: RunInTransaction, orderIds: readonly string[]): void {
  tx.atCommit(returnStockOf, [orderIds]);
}

/** Queues for the commit that units of lines come back to the stock. */
export function returnUnits(tx: RunInTransaction, orderId: string, lines: readonly StoredQuantity[]): void {
  tx.atCommit(returnUnitsOf, [
    [orderId],
    lines.map(({ number }) => number),
    lines.map(({ quantity }) => quantity),
  ]);
}

function valuesOf(orderId: string, state: NewOrderState): unknown[] {
  const { orderStatus, paymentStatus, adminApproval, rejectionNote, returnsStock } = state;
  const amounts = [state.paidAmount, state.refundedAmount, state.returnedAmount].map((amount) =>
    formatCents(toCents(amount)),
  );
  return [orderId, orderStatus, paymentStatus, adminApproval, rejectionNote, returnsStock, ...amounts];
}

/** Updates the state of an order, and queues the return of its stock for the commit. */
export async function updateOrderState(
  tx: RunInTransaction,
  orderId: string,
  state: NewOrderState,
): Promise<void> {
  await tx(update, valuesOf(orderId, state));
  if (state.returnsStock) returnStock(tx, [orderId]);
}

/** Queues the new state and amounts of an order for the commit. */
export function queueOrderState(tx: RunInTransaction, order: LockedOrder): void {
  tx.atCommit(update, valuesOf(order.id, { ...order, returnsStock: false }));
}

/** Updates what a holder notes about an order. Null keeps the reference. */
export const updateReferences = query(
  'orders.update-references',
  `UPDATE orders SET external_reference = coalesce($2, external_reference), metadata = ${mergeMetadata('$3::jsonb', 'metadata')}
   WHERE id = $1`,
).run(
  (orderId: string, externalReference: string | null, metadata: Readonly<Record<string, string | null>>) => [
    orderId,
    externalReference,
    JSON.stringify(metadata),
  ],
);

const cancel = statement(
  'orders.cancel',
  `UPDATE orders SET order_status = 'CANCELLED', stock_returned_at = now() WHERE id = $1`,
);

/** Cancels an order, and queues the return of its stock for the commit. */
export async function updateToCancelled(tx: RunInTransaction, orderId: string): Promise<void> {
  await tx(cancel, [orderId]);
  returnStock(tx, [orderId]);
}
