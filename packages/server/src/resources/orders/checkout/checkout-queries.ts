import { statement } from '@keyfront/postgres';
import type { ShippingAddress } from '@keyfront/protocol';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import {
  type ChargeRecord,
  composeCharges,
  composeTaxRate,
} from '../../delivery-charges/compute-delivery.ts';
import type { LineRecord } from '../to-lines.ts';

/** The client and the items that a checkout validates. */
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
    readonly shipping: ShippingAddress;
  };
  /** Null without a cart. */
  readonly cartId: string | null;
  readonly items: readonly CheckoutItem[];
  /** Whether another order of the digital key has the external reference. */
  readonly isReferenceTaken: boolean;
  /** What the delivery to the country of the order costs. */
  readonly charges: readonly ChargeRecord[];
  /** In per cent. */
  readonly taxRate: number;
}

/** A strain as it is offered in the country of the order. */
export interface CheckoutItem extends LineRecord {
  readonly currency: string;
  /** Null if the strain has no location in the country. */
  readonly locationId: string | null;
  readonly isSold: boolean;
  readonly isAvailable: boolean;
  readonly stock: number;
}

const country = 'coalesce(checkout.country_code, clients.shipping_country_code)';

// $1 digital key; then arrays with an element for each checkout: $2 clients, $3 countries of the orders or null for those of the clients,
// $4 external references.
const readCheckoutData = (
  name: string,
  {
    checkouts,
    cartId,
    source,
    sort,
    lock,
  }: Record<'checkouts' | 'cartId' | 'source' | 'sort' | 'lock', string>,
) =>
  statement<CheckoutData>(
    name,
    `SELECT checkout.member::integer, uuid_v7() AS "orderId", now()::timestamptz(3) AS "placedAt",
       json_build_object('id', clients.id, 'firstName', clients.first_name, 'lastName', clients.last_name,
         'email', clients.email, 'isActive', clients.is_active, 'isKycVerified', clients.is_kyc_verified,
         'adminApproval', clients.admin_approval, 'shipping', json_build_object(
           'address1', clients.shipping_address1, 'address2', clients.shipping_address2, 'landmark', clients.shipping_landmark,
           'city', clients.shipping_city, 'state', clients.shipping_state, 'country', clients.shipping_country,
           'countryCode', clients.shipping_country_code, 'postalCode', clients.shipping_postal_code)) AS client,
       ${cartId} AS "cartId",
       coalesce((
         SELECT json_agg(json_build_object('strainId', strains.id, 'name', strains.name, 'type', strains.type,
           'imageUrl', strains.image_url, 'unitPrice', coalesce(location.retail_price, strains.retail_price),
           'currency', coalesce(location.currency, strains.currency), 'quantity', wanted.quantity,
           'locationId', location.id, 'isSold', location.is_active IS TRUE, 'isAvailable', strains.is_available,
           'stock', coalesce(location.stock_quantity, 0)) ORDER BY ${sort})
         FROM ${source} JOIN strains ON strains.id = wanted.strain_id
         LEFT JOIN strain_locations AS location
           ON location.strain_id = strains.id AND location.country_code = ${country}
       ), '[]') AS items,
       ${composeCharges(country)} AS charges, ${composeTaxRate(country)} AS "taxRate",
       checkout.external_reference <> '' AND EXISTS (
         SELECT FROM orders WHERE external_reference = checkout.external_reference AND external_reference <> '' AND orders.token_id = $1
       ) AS "isReferenceTaken"
     FROM ${checkouts} JOIN clients ON clients.id = checkout.client_id
     WHERE clients.token_id = $1 AND clients.archived_at IS NULL ${lock}`,
    { merges: 'reads', genericPlan: true },
  );

// Locks the client, so that no other transaction changes the cart.
const readCart = readCheckoutData('orders.checkout-cart', {
  checkouts: `unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY
    AS checkout (client_id, country_code, external_reference, member)`,
  cartId: '(SELECT id FROM carts WHERE carts.client_id = clients.id)',
  source: `carts JOIN cart_items AS wanted
     ON carts.client_id = clients.id AND wanted.token_id = carts.token_id AND wanted.cart_id = carts.id`,
  sort: 'wanted.created_at, strains.id',
  lock: 'ORDER BY clients.id FOR NO KEY UPDATE OF clients',
});
// $5 strains and $6 their quantities: for each checkout the text of an array.
const readItems = readCheckoutData('orders.checkout-items', {
  checkouts: `unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
    AS checkout (client_id, country_code, external_reference, strain_ids, quantities, member)`,
  cartId: 'NULL',
  source: `unnest(checkout.strain_ids::uuid[], checkout.quantities::integer[]) WITH ORDINALITY
    AS wanted (strain_id, quantity, number)`,
  sort: 'wanted.number',
  lock: '',
});

const arrayText = (elements: Iterable<string | number>): string => `{${[...elements].join(',')}}`;

/**
 * Reads the client and what is to be ordered: these quantities by strain, or the cart. Returns null if the client is not in the
 * scope. Strains that do not exist are left out.
 */
export async function findCheckoutData(
  tx: RunInTransaction,
  scope: HolderScope,
  clientId: string,
  countryCode: string | null,
  externalReference: string,
  quantities: ReadonlyMap<string, number> | null,
): Promise<CheckoutData | null> {
  const values = [scope.tokenId, [clientId], [countryCode], [externalReference]];
  const [checkout] = quantities
    ? await tx(readItems, [...values, [arrayText(quantities.keys())], [arrayText(quantities.values())]])
    : await tx(readCart, values);
  return checkout ?? null;
}

export interface NewOrder {
  readonly id: string;
  readonly clientId: string;
  readonly invoiceNumber: string;
  readonly totalAmount: string;
  readonly deliveryCharge: string;
  readonly taxRate: number;
  readonly taxAmount: string;
  readonly totalQuantity: number;
  readonly currency: string;
  readonly note: string | null;
  readonly externalReference: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly shipping: ShippingAddress;
  readonly items: readonly (CheckoutItem & { readonly locationId: string })[];
  /** The cart that the items come from, which the order then empties. Null if they come from the request. */
  readonly cartId: string | null;
}

/**
 * Writes whole orders if their checkout data is still valid: each strain is available, at this price and with enough stock;
 * the carts still hold these items; the clients may still order; the invoice numbers and the references are free. Otherwise the transaction starts
 * again. Locations are therefore locked only for this statement and the commit, always in the order of their ids. The function is
 * in `09_place_orders.sql`.
 */
const placeOrders = statement(
  'orders.place',
  `SELECT place_orders($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
  // Every order updates the stock of its strains, so a sequential scan would read many dead rows.
  { indexScansOnly: true, merges: 'writes' },
);

/** Queues the order for the commit: empties the cart, inserts the order and its lines, advances the sale, takes the stock. */
export function insertOrder(tx: RunInTransaction, scope: HolderScope, order: NewOrder): void {
  const { items } = order;
  tx.atCommit(placeOrders, [
    scope.tokenId,
    [order.id],
    [order.clientId],
    [order.cartId],
    [order.invoiceNumber],
    [order.totalAmount],
    [order.totalQuantity],
    [order.currency],
    [order.deliveryCharge],
    [order.taxRate],
    [order.taxAmount],
    [JSON.stringify(order.shipping)],
    [order.note],
    [order.externalReference],
    [JSON.stringify(order.metadata)],
    items.map(() => order.id),
    items.map(() => order.cartId),
    items.map(() => order.currency),
    items.map((_, index) => index + 1),
    items.map(({ locationId }) => locationId),
    items.map(({ strainId }) => strainId),
    items.map(({ name }) => name),
    items.map(({ unitPrice }) => unitPrice),
    items.map(({ quantity }) => quantity),
  ]);
}
