import { query } from '../../../database/queries/query.ts';
import { statement } from '../../../database/statements/statement.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import type { OrderState } from './order-state-machine.ts';

export type LockedOrder = OrderState & {
  readonly rejectionNote: string | null;
  readonly stockReturnedAt: string | null;
};

/** Locks an order until the transaction ends and returns its state. Returns null if it does not exist. */
export const lockOrder = query<LockedOrder>(
  'orders.lock',
  `SELECT order_status AS "orderStatus", payment_status AS "paymentStatus", admin_approval AS "adminApproval",
     rejection_note AS "rejectionNote", stock_returned_at AS "stockReturnedAt"
   FROM orders WHERE id = $1 FOR NO KEY UPDATE`,
).find((orderId: string) => [orderId]);

const update = statement(
  'orders.update-state',
  `UPDATE orders SET order_status = $2, payment_status = $3, admin_approval = $4, rejection_note = $5,
     stock_returned_at = CASE WHEN $6 THEN now() ELSE stock_returned_at END
   WHERE id = $1
     AND ($6 OR (order_status, payment_status, admin_approval, rejection_note) IS DISTINCT FROM ($2, $3, $4, $5))`,
);

export interface NewOrderState extends OrderState {
  readonly rejectionNote: string | null;
  /** Whether this change returns the stock of the order. */
  readonly returnsStock: boolean;
}

// A line returns its stock to the location that it came from: that of its strain in the country of the order. Orders that were placed
// before there were locations name no country. They return it to the country of the client, or to the first one of the strain.
// Locks locations in the order of their ids, as checkout does, to prevent deadlocks.
const returnStockOf = statement(
  'orders.return-stock',
  `WITH returned AS (
     SELECT location.id, order_lines.quantity
     FROM orders JOIN clients ON clients.id = orders.client_id JOIN order_lines ON order_lines.order_id = orders.id
     CROSS JOIN LATERAL (
       SELECT id FROM strain_locations WHERE strain_id = order_lines.strain_id
       ORDER BY country_code <> coalesce(orders.shipping->>'countryCode', clients.shipping_country_code), country_code
       LIMIT 1
     ) AS location
     WHERE orders.id = $1
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

/** Updates the state of an order, and queues the return of its stock for the commit. */
export async function updateOrderState(
  tx: RunInTransaction,
  orderId: string,
  state: NewOrderState,
): Promise<void> {
  const { orderStatus, paymentStatus, adminApproval, rejectionNote, returnsStock } = state;
  await tx(update, [orderId, orderStatus, paymentStatus, adminApproval, rejectionNote, returnsStock]);
  if (returnsStock) tx.atCommit(returnStockOf, [orderId]);
}

const cancel = statement(
  'orders.cancel',
  `UPDATE orders SET order_status = 'CANCELLED', stock_returned_at = now() WHERE id = $1`,
);

/** Cancels an order, and queues the return of its stock for the commit. */
export async function updateToCancelled(tx: RunInTransaction, orderId: string): Promise<void> {
  await tx(cancel, [orderId]);
  tx.atCommit(returnStockOf, [orderId]);
}
