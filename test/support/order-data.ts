import { randomUUID } from 'node:crypto';
import type { Order } from '@keyfront/protocol';
import type { Storefront } from './storefront.ts';
import { insertCart, insertClient, insertStrain } from './storefront-data.ts';
import { runSql } from './test-database.ts';

type Sql = Storefront['sql'];

interface OrderColumns {
  readonly invoiceNumber?: string;
  readonly orderStatus?: Order['orderStatus'];
  readonly paymentStatus?: Order['paymentStatus'];
  readonly adminApproval?: Order['adminApproval'];
  readonly rejectionNote?: string | null;
  readonly totalAmount?: number;
  readonly totalQuantity?: number;
  readonly currency?: string;
  /** ISO 8601; now when it is not said. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** The fields of an order that nobody has paid, taxed or noted anything about. */
export const plainOrderFields = {
  taxRate: 0,
  taxAmount: 0,
  paidAmount: 0,
  refundedAmount: 0,
  refundDue: 0,
  externalReference: '',
  metadata: {},
} satisfies Partial<Order>;

/** Inserts an order without lines, with these changes to its defaults; returns its id. */
export async function insertOrder(
  sql: Sql,
  tokenId: number,
  clientId: string,
  {
    invoiceNumber = `KF-${randomUUID()}`,
    orderStatus = 'PENDING',
    paymentStatus = 'PENDING',
    adminApproval = 'PENDING',
    rejectionNote = null,
    totalAmount = 10,
    totalQuantity = 1,
    currency = 'EUR',
    createdAt = new Date().toISOString(),
    updatedAt = createdAt,
  }: OrderColumns = {},
): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO orders (token_id, client_id, invoice_number, order_status, payment_status, admin_approval,
       rejection_note, total_amount, total_quantity, currency, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`,
    [
      tokenId,
      clientId,
      invoiceNumber,
      orderStatus,
      paymentStatus,
      adminApproval,
      rejectionNote,
      totalAmount,
      totalQuantity,
      currency,
      createdAt,
      updatedAt,
    ],
  );
  return row?.id ?? '';
}

/**
 * So many orders without lines, a second apart, of the clients that the digital key has. Without triggers, which would
 * take longer than the test: they have no history and no events.
 */
export async function insertManyOrders(ownerUrl: string, tokenId: number, count: number): Promise<void> {
  await runSql(
    ownerUrl,
    `BEGIN; SET LOCAL session_replication_role = replica;
     WITH added AS (
       INSERT INTO keyfront.orders
         (token_id, client_id, invoice_number, total_amount, total_quantity, currency, created_at)
       SELECT ${tokenId}, clients.ids[1 + n % cardinality(clients.ids)], 'BULK-' || n, n % 1000, 1 + n % 9, 'EUR',
         now() - n * interval '1 second'
       FROM generate_series(1, ${count}) AS n,
         (SELECT array_agg(id) AS ids FROM keyfront.clients WHERE token_id = ${tokenId}) AS clients
       RETURNING *
     )
     INSERT INTO keyfront.order_counter_changes
       (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
     SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
       count(*), sum(total_quantity), sum(total_amount)
     FROM added GROUP BY 1, 2, 3, 4, 5, 6;
     COMMIT; ANALYZE keyfront.orders`,
  );
}

/** A client whose cart can be ordered at once, with one strain in it. */
export async function insertReadyClient(
  sql: Sql,
  tokenId: number,
  { quantity = 2, stock = 10 } = {},
): Promise<{ readonly clientId: string; readonly strainId: string }> {
  const { id: clientId } = await insertClient(sql, tokenId);
  const { id: strainId } = await insertStrain(sql, { stock });
  await insertCart(sql, tokenId, clientId, [{ strainId, quantity }]);
  return { clientId, strainId };
}

/** How much of a strain there is in a country. */
export async function stockOf(sql: Sql, strainId: string, countryCode = 'PRT'): Promise<number> {
  const [row] = await sql<{ stock: number }>(
    'SELECT stock_quantity AS stock FROM strain_locations WHERE strain_id = $1 AND country_code = $2',
    [strainId, countryCode],
  );
  if (!row) throw new Error('There is no such location');
  return row.stock;
}

/** Of an order what lists are sorted by. */
export interface SortableOrder {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalAmount: number;
  readonly invoiceNumber: string;
}

/** The ids in the order that `orderBy` means: ties go by the id, in the same direction. */
export function idsBy(orderBy: string, orders: readonly SortableOrder[]): string[] {
  const [name = '', way = 'asc'] = orderBy.split(':');
  const isByCreation = name === '' || name === 'asc' || name === 'desc';
  const direction = isByCreation ? name || 'desc' : way;
  const rank = (order: SortableOrder): string => {
    if (name === 'updatedAt') return order.updatedAt;
    if (name === 'totalAmount') return order.totalAmount.toFixed(2).padStart(20, '0');
    if (name === 'invoiceNumber') return order.invoiceNumber;
    return order.createdAt;
  };
  const ids = orders
    .map((order) => [`${rank(order)} ${order.id}`, order.id] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, id]) => id);
  return direction === 'asc' ? ids : ids.reverse();
}

/** Every `orderBy` that a list of orders takes. */
export const everyOrderBy = [
  '',
  'asc',
  'desc',
  ...['createdAt', 'updatedAt', 'totalAmount', 'invoiceNumber'].flatMap((field) => [
    field,
    `${field}:asc`,
    `${field}:desc`,
  ]),
];
