import { statement } from '@keyfront/postgres';
import type {
  AdminOrder,
  OrderDetails,
  OrderHistory,
  OrderWithLines,
  Payment,
  ShippingAddress,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { jsonTime } from '../../database/queries/json-time.ts';
import { convertAt, listAt } from '../../database/queries/list-at.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { wantedSnapshots } from '../../database/queries/wanted-snapshots.ts';
import type { AdministratorScope, Scope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { listShippings, shippingColumn } from '../clients/client-record.ts';
import { type RefundRecord, refundsOfOrder, toRefund } from './money/refund-queries.ts';
import { type OrderRecord, orderColumns, toOrder } from './order-record.ts';
import { type ShipmentRecord, shipmentsOfOrder, toShipment } from './shipping/shipment-queries.ts';
import { type LineRecord, toLines } from './to-lines.ts';

interface FoundOrder extends OrderRecord {
  readonly note: string | null;
  readonly shipping: ShippingAddress | null;
  readonly lines: readonly LineRecord[] | null;
}

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

// Links that nobody has used are no payments.
const paymentsOfOrder = `coalesce((
  SELECT json_agg(json_build_object('id', id, 'amount', orders.total_amount, 'currency', orders.currency, 'status', status,
    'reference', reference, 'createdAt', ${jsonTime('created_at')}, 'paidAt', ${jsonTime('paid_at')}) ORDER BY id)
  FROM payment_checkouts WHERE order_id = orders.id AND status IN ('PROCESSING', 'PAID', 'FAILED', 'REFUNDED')
), '[]')`;

interface FoundDetails extends FoundOrder {
  readonly clientShipping: ShippingAddress;
  readonly otherShippings: ShippingAddress[];
  readonly payments: Payment[];
  readonly refunds: RefundRecord[];
  readonly shipments: ShipmentRecord[];
}

const findDetails = statement<FoundDetails>(
  'orders.find-details',
  `SELECT ${orderColumns}, orders.note, orders.shipping, ${linesOfOrder} AS lines,
     ${shippingColumn} AS "clientShipping", other_shippings AS "otherShippings", ${paymentsOfOrder} AS payments,
     ${refundsOfOrder} AS refunds, ${shipmentsOfOrder} AS shipments
   FROM orders JOIN clients ON clients.id = orders.client_id WHERE orders.id = $1`,
);

/** Finds an order in the scope with everything that belongs to it. */
export async function findOrderDetails(
  tx: RunStatement,
  orderId: string,
): Promise<Omit<OrderDetails, 'orderDetails'> | null> {
  const [row] = await tx(findDetails, [orderId]);
  if (!row) return null;
  const order = toOrderWithLines(row);
  return Object.assign(order, {
    client: Object.assign(order.client, { shippings: listShippings(row.clientShipping, row.otherShippings) }),
    payments: row.payments,
    refunds: row.refunds.map((refund) => toRefund(refund, row.id)),
    shipments: row.shipments.map((shipment) => toShipment(shipment, row.id)),
  });
}

function toOrderWithLines(row: FoundOrder): OrderWithLines {
  const { id, note, shipping, lines } = row;
  return Object.assign(toOrder(row), { note, shipping, orderLines: toLines(id, lines ?? []) });
}

// An order starts PENDING in every respect. A snapshot without a state is of that moment, and names no reference or metadata if there was none.
const initialState = `jsonb_build_object('order_status', 'PENDING', 'payment_status', 'PENDING', 'admin_approval', 'PENDING',
  'rejection_note', NULL, 'updated_at', stored.created_at, 'external_reference', '', 'metadata', jsonb '{}',
  'paid_amount', 0, 'refunded_amount', 0, 'refund_due', 0)`;
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

const latestOrders = (condition: string) => `
  SELECT ${orderColumns} FROM orders JOIN clients ON clients.id = orders.client_id
  WHERE ${condition} ORDER BY orders.created_at DESC, orders.id DESC LIMIT 10`;

const listOtherRows = query<OrderRecord>(
  'orders.list-others',
  latestOrders('orders.client_id = (SELECT client_id FROM orders WHERE id = $1) AND orders.id <> $1'),
).listInScope((_scope: AdministratorScope, orderId: string) => [orderId]);

/** Lists the latest other orders of the client of an order, newest first. */
export async function listOtherOrders(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
): Promise<AdminOrder[]> {
  return (await listOtherRows(database, scope, orderId)).map(toOrder);
}

const listRowsOfClient = query<OrderRecord>(
  'orders.list-of-client',
  latestOrders('orders.client_id = $1'),
).listInScope((_scope: AdministratorScope, clientId: string) => [clientId]);

/** Lists the latest orders of a client, newest first. */
export async function listOrdersOfClient(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
): Promise<AdminOrder[]> {
  return (await listRowsOfClient(database, scope, clientId)).map(toOrder);
}
