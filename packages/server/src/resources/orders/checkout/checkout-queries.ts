import type { HolderScope } from '../../../database/scope.ts';
import { statement } from '../../../database/statement.ts';
import type { RunInTransaction } from '../../../database/transaction.ts';

/** The client and the cart that a checkout validates. */
export interface CheckoutData {
  readonly orderId: string;
  readonly placedAt: string;
  readonly client: {
    readonly id: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly isKycVerified: boolean;
    readonly adminApproval: string;
  };
  readonly items: readonly CheckoutItem[];
}

export interface CheckoutItem {
  readonly strainId: string;
  readonly name: string;
  readonly unitPrice: string;
  readonly currency: string;
  readonly quantity: number;
  readonly stock: number;
  readonly isAvailable: boolean;
}

const readCheckoutData = statement<CheckoutData>(
  'orders.checkout-data',
  `SELECT uuid_v7() AS "orderId", now()::timestamptz(3) AS "placedAt",
     json_build_object('id', clients.id, 'firstName', clients.first_name, 'lastName', clients.last_name,
       'email', clients.email, 'isActive', clients.is_active, 'isKycVerified', clients.is_kyc_verified,
       'adminApproval', clients.admin_approval) AS client,
     coalesce((
       SELECT json_agg(json_build_object('strainId', strains.id, 'name', strains.name,
         'unitPrice', strains.retail_price::text, 'currency', strains.currency, 'quantity', cart_items.quantity,
         'stock', strains.stock_quantity, 'isAvailable', strains.is_available)
         ORDER BY cart_items.created_at, strains.id)
       FROM carts
       JOIN cart_items ON cart_items.token_id = carts.token_id AND cart_items.cart_id = carts.id
       JOIN strains ON strains.id = cart_items.strain_id
       WHERE carts.client_id = clients.id
     ), '[]') AS items
   FROM clients WHERE clients.token_id = $1 AND clients.id = $2 AND clients.archived_at IS NULL
   FOR NO KEY UPDATE OF clients`,
);

/**
 * Reads client and cart, and locks the client so that no other transaction changes the cart. Returns null if the client is
 * not in the scope.
 */
export async function findCheckoutData(
  run: RunInTransaction,
  scope: HolderScope,
  clientId: string,
): Promise<CheckoutData | null> {
  const [checkout] = await run(readCheckoutData, [scope.tokenId, clientId]);
  return checkout ?? null;
}

export interface NewOrder {
  readonly id: string;
  readonly clientId: string;
  readonly invoiceNumber: string;
  readonly totalAmount: string;
  readonly totalQuantity: number;
  readonly currency: string;
  readonly items: readonly CheckoutItem[];
}

/**
 * Writes the whole order if the checkout data is still valid: each strain is available, at this price and with enough stock;
 * the cart still holds these items; the client may still order; the invoice number is free. Otherwise the transaction starts
 * again. Strains are therefore locked only for this statement and the commit, always in the order of their ids.
 */
const insertOrderIfUnchanged = statement(
  'orders.place',
  `WITH lines AS (
     SELECT * FROM unnest($8::uuid[], $9::text[], $10::numeric[], $11::int[])
       WITH ORDINALITY AS line (strain_id, name, unit_price, quantity, number)
   ), locked AS (
     SELECT id FROM strains WHERE id = ANY ($8::uuid[]) ORDER BY id FOR NO KEY UPDATE
   ), taken AS (
     UPDATE strains SET stock_quantity = stock_quantity - lines.quantity
     FROM locked JOIN lines ON lines.strain_id = locked.id
     WHERE strains.id = locked.id AND strains.stock_quantity >= lines.quantity
       AND strains.retail_price = lines.unit_price AND strains.currency = $7 AND strains.is_available
     RETURNING strains.id
   ), emptied AS (
     DELETE FROM cart_items USING carts, lines
     WHERE carts.client_id = $3 AND carts.token_id = $1 AND cart_items.cart_id = carts.id
       AND cart_items.strain_id = lines.strain_id AND cart_items.quantity = lines.quantity
     RETURNING cart_items.strain_id
   ), placed AS (
     INSERT INTO orders (token_id, id, client_id, invoice_number, total_amount, total_quantity, currency)
     SELECT $1, $2, $3, $4, $5, $6, $7
     WHERE (SELECT count(*) FROM taken) = cardinality($8::uuid[])
       AND (SELECT count(*) FROM emptied) = cardinality($8::uuid[])
       AND EXISTS (
         SELECT FROM clients WHERE id = $3 AND token_id = $1 AND is_active AND is_kyc_verified
           AND admin_approval = 'VERIFIED'
       )
     ON CONFLICT (invoice_number) DO NOTHING
     RETURNING id
   ), with_lines AS (
     INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
     SELECT placed.id, lines.number, $1, lines.strain_id, lines.name, lines.unit_price, lines.quantity
     FROM placed, lines
   )
   SELECT begin_again() WHERE NOT EXISTS (SELECT FROM placed)`,
  // Every order updates the stock of its strains, so a sequential scan would read many dead rows.
  { indexScansOnly: true },
);

/** Queues the order for the commit: takes the stock, empties the cart, inserts the order and its lines. */
export function insertOrder(run: RunInTransaction, scope: HolderScope, order: NewOrder): void {
  const { items } = order;
  run.atCommit(insertOrderIfUnchanged, [
    scope.tokenId,
    order.id,
    order.clientId,
    order.invoiceNumber,
    order.totalAmount,
    order.totalQuantity,
    order.currency,
    items.map(({ strainId }) => strainId),
    items.map(({ name }) => name),
    items.map(({ unitPrice }) => unitPrice),
    items.map(({ quantity }) => quantity),
  ]);
}
