import type { OrderHistory, OrderWithLines, ShippingAddress } from '@keyfront/protocol';
import { convertAt, listAt } from '../../database/queries/list-at.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { wantedSnapshots } from '../../database/queries/wanted-snapshots.ts';
import { statement } from '../../database/statements/statement.ts';
import type { Scope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { type OrderRecord, orderColumns, toOrder } from './order-record.ts';
import { type LineRecord, toLines } from './to-lines.ts';

type FoundOrder = OrderRecord & {
  readonly note: string | null;
  readonly shipping: ShippingAddress | null;
  readonly lines: readonly LineRecord[] | null;
};

const linesOfOrder = `(
  SELECT json_agg(json_build_object('strainId', strain_id, 'name', strain_name, 'type', strains.type,
    'imageUrl', strains.image_url, 'unitPrice', unit_price, 'quantity', quantity) ORDER BY line_number)
  FROM order_lines JOIN strains ON strains.id = order_lines.strain_id WHERE order_lines.order_id = orders.id
)`;
const find = statement<FoundOrder>(
  'orders.find',
  `SELECT ${orderColumns}, orders.note, orders.shipping, ${linesOfOrder} AS lines
   FROM orders JOIN clients ON clients.id = orders.client_id WHERE orders.id = $1`,
);

/** Finds an order with its lines in the scope of `run`. */
export async function findOrder(tx: RunStatement, orderId: string): Promise<OrderWithLines | null> {
  const [row] = await tx(find, [orderId]);
  return row ? toOrderWithLines(row) : null;
}

function toOrderWithLines(row: FoundOrder): OrderWithLines {
  const { id, note, shipping, lines } = row;
  return Object.assign(toOrder(row), { note, shipping, orderLines: toLines(id, lines ?? []) });
}

// An order starts PENDING in every respect. A snapshot without a state is of that moment.
const initialState = `jsonb_build_object('order_status', 'PENDING', 'payment_status', 'PENDING', 'admin_approval', 'PENDING',
  'rejection_note', NULL, 'updated_at', stored.created_at)`;
/** Lists orders as they were at these snapshots, in their order. An order that is not in the scope is null. */
export const listOrdersAt = convertAt(
  listAt<FoundOrder>(
    'orders.list-at',
    `SELECT wanted.number, ${orderColumns}, orders.note, orders.shipping, ${linesOfOrder} AS lines
     FROM ${wantedSnapshots}
     JOIN orders AS stored ON stored.id = wanted.id
     JOIN clients AS stored_client ON stored_client.id = stored.client_id
     CROSS JOIN LATERAL jsonb_populate_record(stored, ${initialState} || wanted.snapshot) AS orders
     CROSS JOIN LATERAL jsonb_populate_record(stored_client, coalesce(wanted.snapshot -> 'client', '{}')) AS clients`,
    { genericPlan: true },
  ),
  toOrderWithLines,
);

/** Whether the order exists, in any scope. */
export const orderExists = rowExists('orders');

/** Lists the states of an order, oldest first. The list is empty if the order is not in the scope. */
export const listOrderHistory = query<OrderHistory['history'][number]>(
  'orders.history',
  `SELECT order_status AS "orderStatus", payment_status AS "paymentStatus", admin_approval AS "adminApproval",
     rejection_note AS "rejectionNote", changed_at AS "changedAt", author
   FROM order_history WHERE order_id = $1 ORDER BY id`,
).listInScope((_scope: Scope, orderId: string) => [orderId]);
