import { statement } from '@keyfront/postgres';
import type { CheckoutStatus } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction, RunStatement } from '../../database/transactions/transaction.ts';
import { formatCents } from '../../lib/amounts.ts';
import { type LockedOrder, lockedOrderColumns } from '../orders/order-record.ts';
import type { OrderState } from '../orders/state/order-state-machine.ts';

/** What the payment of an order depends on. */
export interface PayableOrder extends OrderState {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly totalAmount: number;
  readonly currency: string;
  /** The clock of the database. */
  readonly now: string;
}

export interface CheckoutRecord {
  readonly id: string;
  readonly reference: string;
  readonly status: CheckoutStatus;
  readonly returnUrl: string | null;
  readonly expiresAt: string;
}

/** All null if the order has no checkout. */
interface FoundCheckout {
  readonly checkoutId: string | null;
  readonly reference: string | null;
  readonly status: CheckoutStatus | null;
  readonly returnUrl: string | null;
  readonly expiresAt: string | null;
}

const orderColumns = `orders.id, orders.invoice_number AS "invoiceNumber", orders.total_amount AS "totalAmount",
  orders.currency, orders.order_status AS "orderStatus", orders.payment_status AS "paymentStatus",
  orders.admin_approval AS "adminApproval", now()::timestamptz(3) AS now`;
const checkoutColumns = `id, reference, status, return_url AS "returnUrl", expires_at AS "expiresAt"`;

const find = statement<PayableOrder & FoundCheckout>(
  'payments.find',
  `SELECT ${orderColumns}, latest.*
   FROM orders LEFT JOIN LATERAL (
     SELECT id AS "checkoutId", reference, status, return_url AS "returnUrl", expires_at AS "expiresAt"
     FROM payment_checkouts WHERE order_id = orders.id ORDER BY payment_checkouts.id DESC LIMIT 1
   ) AS latest ON true
   WHERE orders.id = $1 AND orders.token_id = $2`,
);
const lockOrder = statement<PayableOrder>(
  'payments.lock-order',
  `SELECT ${orderColumns} FROM orders WHERE id = $1 AND token_id = $2 FOR NO KEY UPDATE`,
);
const findLatest = statement<CheckoutRecord>(
  'payments.find-latest-checkout',
  `SELECT ${checkoutColumns} FROM payment_checkouts WHERE order_id = $1 ORDER BY id DESC LIMIT 1`,
);

export interface OrderCheckout {
  readonly order: PayableOrder;
  /** The latest one. Null if the order never had one. */
  readonly checkout: CheckoutRecord | null;
}

/** Finds an order in the scope with its latest checkout. */
export async function findOrderCheckout(
  tx: RunStatement,
  scope: HolderScope,
  orderId: string,
): Promise<OrderCheckout | null> {
  const [row] = await tx(find, [orderId, scope.tokenId]);
  if (!row) return null;
  const { checkoutId: id, reference, status, returnUrl, expiresAt, ...order } = row;
  const isFound = id !== null && reference !== null && status !== null && expiresAt !== null;
  return { order, checkout: isFound ? { id, reference, status, returnUrl, expiresAt } : null };
}

/** The same, and locks the order until the transaction ends. */
export async function lockOrderCheckout(
  tx: RunInTransaction,
  scope: HolderScope,
  orderId: string,
): Promise<OrderCheckout | null> {
  // One round trip. The second statement runs after the lock, so it sees what others have committed.
  const [[order], [checkout]] = await Promise.all([
    tx(lockOrder, [orderId, scope.tokenId]),
    tx(findLatest, [orderId]),
  ]);
  return order ? { order, checkout: checkout ?? null } : null;
}

export interface NewCheckoutRow {
  readonly reference: string;
  readonly orderId: string;
  readonly returnUrl: string | null;
  readonly expiresAt: string;
}

/** Queues a new checkout for the commit. */
export const insertCheckout = query(
  'payments.insert-checkout',
  `INSERT INTO payment_checkouts (reference, order_id, token_id, return_url, expires_at) VALUES ($1, $2, $3, $4, $5)`,
).atCommit((scope: HolderScope, { reference, orderId, returnUrl, expiresAt }: NewCheckoutRow) => [
  reference,
  orderId,
  scope.tokenId,
  returnUrl,
  expiresAt,
]);

/** Queues the new state of a checkout for the commit. */
export const updateCheckout = query(
  'payments.update-checkout',
  `UPDATE payment_checkouts SET status = $2, paid_at = CASE WHEN $2 = 'PAID' THEN now() ELSE paid_at END WHERE id = $1`,
).atCommit((checkoutId: string, status: CheckoutStatus) => [checkoutId, status]);

/** Queues for the commit that a failed payment is PENDING again. */
export const restartPayment = query(
  'payments.restart',
  `UPDATE orders SET payment_status = 'PENDING' WHERE id = $1 AND token_id = $2 AND payment_status = 'FAILED'`,
).atCommit((scope: HolderScope, orderId: string) => [orderId, scope.tokenId]);

const lockByReference = statement<LockedOrder>(
  'payments.lock-by-reference',
  `SELECT ${lockedOrderColumns} FROM orders
   WHERE id = (SELECT order_id FROM payment_checkouts WHERE reference = $1) FOR NO KEY UPDATE`,
);
const findByReference = statement<ReportedCheckout>(
  'payments.find-by-reference',
  `SELECT ${checkoutColumns}, refunded_amount AS "refundedAmount", EXISTS (
     SELECT FROM payment_checkouts AS later
     WHERE later.order_id = reported.order_id AND later.id > reported.id AND later.reference IS NOT NULL
   ) AS "isReplaced"
   FROM payment_checkouts AS reported WHERE reference = $1`,
);

/** A checkout that a provider reports about. */
export interface ReportedCheckout extends CheckoutRecord {
  /** Whether the order has a later checkout at the provider. */
  readonly isReplaced: boolean;
  /** What of it went back. */
  readonly refundedAmount: number;
}

export interface Reported {
  readonly order: LockedOrder;
  readonly checkout: ReportedCheckout;
}

/** Locks the order of a checkout until the transaction ends. Returns null if no checkout has this reference. */
export async function lockReportedCheckout(
  tx: RunInTransaction,
  reference: string,
): Promise<Reported | null> {
  // One round trip. The second statement runs after the lock.
  const [[order], [checkout]] = await Promise.all([
    tx(lockByReference, [reference]),
    tx(findByReference, [reference]),
  ]);
  return order && checkout ? { order, checkout } : null;
}

/** Queues for the commit: notes that an order was paid in a way that the provider knows nothing of. */
export const notePayment = query(
  'payments.note',
  `INSERT INTO payment_checkouts (order_id, token_id, status, expires_at, paid_at) VALUES ($1, $2, 'PAID', now(), now())`,
).atCommit(({ id, tokenId }: LockedOrder) => [id, tokenId]);

/**
 * Queues for the commit that an amount of the payments of an order went back: of one payment, or of those first that an administrator has
 * noted, and then of the oldest. The provider reports refunds of its own. A payment is REFUNDED when nothing is left of it.
 */
export const refundPayments = query(
  'payments.refund',
  `WITH paid AS (
     SELECT payment.id, total_amount - refunded AS unspent,
       sum(total_amount - refunded) OVER (ORDER BY payment.reference IS NOT NULL, payment.id) - (total_amount - refunded) AS earlier
     FROM orders, LATERAL (
       SELECT id, reference, payment_checkouts.refunded_amount AS refunded FROM payment_checkouts
       WHERE order_id = orders.id AND status = 'PAID' AND ($3::uuid IS NULL OR id = $3)
     ) AS payment
     WHERE orders.id = $1
   )
   UPDATE payment_checkouts SET refunded_amount = refunded_amount + least(unspent, $2::numeric - earlier),
     status = CASE WHEN unspent <= $2::numeric - earlier THEN 'REFUNDED' ELSE status END
   FROM paid WHERE payment_checkouts.id = paid.id AND earlier <= $2::numeric`,
).atCommit((orderId: string, amountCents: bigint, paymentId: string | null) => [
  orderId,
  formatCents(amountCents),
  paymentId,
]);

/** Queues the new payment status of an order for the commit. */
export const updatePaymentStatus = query(
  'payments.update-order',
  'UPDATE orders SET payment_status = $2 WHERE id = $1',
).atCommit((orderId: string, status: string) => [orderId, status]);
