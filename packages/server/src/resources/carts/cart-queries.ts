import { statement } from '@keyfront/postgres';
import { type PageRequest, pageOffset } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { selectCounters } from '../../database/queries/counters.ts';
import { likePattern } from '../../database/queries/like-pattern.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import type { MatchingIds } from '../../database/queries/search-matches.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { type ChargeRecord, composeCharges } from '../delivery-charges/compute-delivery.ts';
import { composeOffer, joinLocation, type Offer } from '../strains/offer.ts';

// A client has one cart from the start. Its row is inserted with the first items and has the id of the client, so that the id is
// known before. Carts of earlier versions have ids of their own.

/** A strain in a cart, as it is offered in the country of the client. */
export interface HeldStrain {
  readonly strain: Offer;
  readonly quantity: number;
}

/** The client of a cart. */
export interface CartOwner {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly cartId: string;
  /** Alpha-3, or empty if the client has no address. */
  readonly countryCode: string;
  /** What the delivery to that country costs. */
  readonly charges: readonly ChargeRecord[];
}

/** The client of a cart, with its items in the order in which they were added. */
export type FilledCart = CartOwner & { readonly held: readonly HeldStrain[] };

export interface OpenedCart {
  /** The creation time of items that are added now. */
  readonly now: string;
  /** Its items in cart order. Requested strains that are not in the cart yet have a quantity of 0. */
  readonly held: readonly HeldStrain[];
}

export interface CartFilter {
  readonly clientId: string | null;
  readonly search: string | null;
  /** The clients that the search has found; null if it must be evaluated for each client. */
  readonly matches: MatchingIds | null;
}

const country = 'clients.shipping_country_code';
const ownerColumns = `clients.id, clients.first_name AS "firstName", clients.last_name AS "lastName", clients.email,
  ${country} AS "countryCode", ${composeCharges(country)} AS charges`;

// $2 is the id of the cart or of its client. Under row-level security PostgreSQL uses no index for a comparison with coalesce(): it
// takes the function for one that may reveal rows. Inside a SELECT of its own it does not matter.
const isOwner = `clients.token_id = $1 AND clients.archived_at IS NULL
  AND clients.id = (SELECT coalesce((SELECT client_id FROM carts WHERE token_id = $1 AND carts.id = $2), $2))`;
const cartId = `coalesce((SELECT id FROM carts WHERE carts.token_id = $1 AND carts.client_id = clients.id), clients.id)`;

/** Joins the id of the cart to its client. OFFSET keeps the SELECT apart: see `isOwner`. */
const joinCart = `CROSS JOIN LATERAL (SELECT ${cartId} AS id OFFSET 0) AS cart`;

/**
 * Locks the client of a cart, as every cart change and checkout does. Takes the id of the cart or of the client. Returns null if
 * neither is in the scope.
 */
export const lockCartOwner = query<CartOwner>(
  'carts.lock-owner',
  `SELECT ${ownerColumns}, ${cartId} AS "cartId" FROM clients WHERE ${isOwner} FOR NO KEY UPDATE OF clients`,
).find((scope: HolderScope, cartOrClientId: string) => [scope.tokenId, cartOrClientId]);

// clock_timestamp() instead of now(): a transaction that waited for the lock must sort its items after those of the lock
// holder.
const open = statement<{ strain: Offer | null; quantity: number; now: string }>(
  'carts.open',
  `WITH cart AS (
     INSERT INTO carts (id, token_id, client_id) SELECT clients.id, token_id, clients.id FROM clients WHERE ${isOwner}
     ON CONFLICT (client_id) DO UPDATE SET client_id = excluded.client_id
     RETURNING id, client_id, clock_timestamp()::timestamptz(3) AS now
   ), shelf AS (
     SELECT strain_id FROM cart_items WHERE token_id = $1 AND cart_id = (SELECT id FROM cart)
     UNION SELECT unnest($3::uuid[])
   )
   SELECT cart.now, offered.strain, coalesce(offered.quantity, 0) AS quantity
   FROM cart LEFT JOIN (
     SELECT ${composeOffer(country)} AS strain, cart_items.quantity, cart_items.created_at, strains.id
     FROM cart CROSS JOIN shelf JOIN strains ON strains.id = shelf.strain_id
     JOIN clients ON clients.token_id = $1 AND clients.id = cart.client_id ${joinLocation(country)}
     LEFT JOIN cart_items
       ON cart_items.token_id = $1 AND cart_items.cart_id = cart.id AND cart_items.strain_id = strains.id
   ) AS offered ON true
   ORDER BY coalesce(offered.created_at, cart.now), offered.id`,
);

/**
 * Gets or creates the cart, with these strains on top of its items. Returns null if the cart is not in the scope. Strains that do
 * not exist are left out.
 */
export async function openCart(
  tx: RunInTransaction,
  scope: HolderScope,
  cartOrClientId: string,
  strainIds: readonly string[],
): Promise<OpenedCart | null> {
  const rows = await tx(open, [scope.tokenId, cartOrClientId, strainIds]);
  const [first] = rows;
  const held = rows.flatMap(({ strain, quantity }) => (strain ? { strain, quantity } : []));
  return first ? { now: first.now, held } : null;
}

// Adds to the quantity that the cart has, or replaces it.
const writeItems = (name: string, quantity: string) =>
  query(
    name,
    `INSERT INTO cart_items AS held (cart_id, token_id, created_at, strain_id, quantity)
     SELECT $1, $2, $3, added.strain_id, added.quantity
     FROM unnest($4::uuid[], $5::integer[]) AS added (strain_id, quantity)
     ON CONFLICT (cart_id, strain_id) DO UPDATE SET quantity = ${quantity}`,
  ).atCommit((scope: HolderScope, id: string, now: string, quantities: ReadonlyMap<string, number>) => [
    id,
    scope.tokenId,
    now,
    [...quantities.keys()],
    [...quantities.values()],
  ]);
const setItems = writeItems('carts.set-items', 'excluded.quantity');

/** Queues the added items for the commit. */
export const addCartItems = writeItems('carts.add-items', 'held.quantity + excluded.quantity');

/** Queues for the commit that the cart holds exactly these quantities. */
export function replaceCartItems(
  tx: RunInTransaction,
  scope: HolderScope,
  id: string,
  now: string,
  quantities: ReadonlyMap<string, number>,
): void {
  tx.atCommit(removeOtherItems, [scope.tokenId, id, [...quantities.keys()]]);
  setItems(tx, scope, id, now, quantities);
}

const removeOtherItems = statement(
  'carts.remove-other-items',
  'DELETE FROM cart_items WHERE token_id = $1 AND cart_id = $2 AND strain_id <> ALL ($3::uuid[])',
);
const removeItems = statement(
  'carts.remove-items',
  'DELETE FROM cart_items WHERE token_id = $1 AND cart_id = $2 AND strain_id = ANY ($3::uuid[])',
);
// Any update sets updated_at.
const touch = statement(
  'carts.touch',
  'UPDATE carts SET client_id = client_id WHERE token_id = $1 AND id = $2',
);

/** Queues the removal of strains from the cart for the commit. */
export function deleteCartItems(
  tx: RunInTransaction,
  scope: HolderScope,
  id: string,
  strainIds: readonly string[],
): void {
  tx.atCommit(removeItems, [scope.tokenId, id, strainIds]);
  tx.atCommit(touch, [scope.tokenId, id]);
}

// Of the cart with the id `cart` of the client in `clients`.
const itemsOf = (cart: string) => `(
  SELECT json_agg(json_build_object('strain', ${composeOffer(country)}, 'quantity', cart_items.quantity)
    ORDER BY cart_items.created_at, strains.id)
  FROM cart_items JOIN strains ON strains.id = cart_items.strain_id ${joinLocation(country)}
  WHERE cart_items.token_id = $1 AND cart_items.cart_id = ${cart}
)`;

/** Finds a cart by its id or by that of its client. */
export const findCart = query<FilledCart>(
  'carts.find',
  `SELECT ${ownerColumns}, cart.id AS "cartId", coalesce(${itemsOf('cart.id')}, '[]') AS held
   FROM clients ${joinCart} WHERE ${isOwner}`,
).findInScope((scope: HolderScope, cartOrClientId: string) => [scope.tokenId, cartOrClientId]);

/** Lists the items of the cart in the order in which they were added. */
export const listHeldStrains = query<HeldStrain>(
  'carts.items',
  // Sees the cart as it was when the lock was granted: `lockCartOwner` is an earlier statement of the same transaction.
  `SELECT ${composeOffer(country)} AS strain, cart_items.quantity
   FROM clients ${joinCart}
   JOIN cart_items ON cart_items.token_id = $1 AND cart_items.cart_id = cart.id
   JOIN strains ON strains.id = cart_items.strain_id ${joinLocation(country)}
   WHERE ${isOwner} ORDER BY cart_items.created_at, strains.id`,
).list((scope: HolderScope, cartOrClientId: string) => [scope.tokenId, cartOrClientId]);

const deleteItemsOfClient = statement(
  'carts.delete-items-of-client',
  `DELETE FROM cart_items USING carts
   WHERE carts.token_id = $1 AND carts.client_id = $2 AND cart_items.cart_id = carts.id`,
);
const deleteOfClient = statement(
  'carts.delete-of-client',
  'DELETE FROM carts WHERE token_id = $1 AND client_id = $2',
);

/** Queues for the commit: deletes the cart of a client that is locked. */
export function deleteCartOf(tx: RunInTransaction, scope: HolderScope, clientId: string): void {
  tx.atCommit(deleteItemsOfClient, [scope.tokenId, clientId]);
  tx.atCommit(deleteOfClient, [scope.tokenId, clientId]);
}

/** Whether the cart exists, in any scope. */
export const cartExists = rowExists('carts');

// Reads strains, and without a search also clients, only for the carts of the page. A LIMIT of 1 keeps the planner from reading
// the items of all carts to find out which carts are not empty, and all clients to find those of the page.
const composePage = (condition: string, count: string) => `
  WITH matching AS NOT MATERIALIZED (
    SELECT carts.id, carts.client_id, carts.updated_at FROM carts
    CROSS JOIN LATERAL (
      SELECT FROM cart_items WHERE cart_items.token_id = $1 AND cart_items.cart_id = carts.id LIMIT 1
    ) AS any_item
    WHERE carts.token_id = $1 AND ${condition}
  )
  SELECT total.count AS "itemCount", page.id AS "cartId", ${ownerColumns}, ${itemsOf('page.id')} AS held
  FROM (${count}) AS total
  LEFT JOIN (SELECT * FROM matching ORDER BY updated_at DESC, id DESC LIMIT $2 OFFSET $3) AS page ON true
  LEFT JOIN LATERAL (
    SELECT * FROM clients WHERE clients.token_id = $1 AND clients.id = page.client_id LIMIT 1
  ) AS clients ON true
  ORDER BY page.updated_at DESC, page.id DESC`;

const listAll = statement<PageRow<FilledCart>>(
  'carts.page',
  composePage(
    'true',
    `SELECT coalesce(sum(entries), 0)::bigint AS count FROM ${selectCounters('$1', 'cart')} AS counters`,
  ),
  { indexScansOnly: true, genericPlan: true },
);
const filterBy = (name: string, condition: string) =>
  statement<PageRow<FilledCart>>(
    name,
    composePage(
      `($4::uuid IS NULL OR carts.client_id = $4) AND ${condition}`,
      'SELECT count(*) FROM matching',
    ),
    { indexScansOnly: true },
  );
// $5 is the search: the ids that it has found, or its pattern.
const listFound = filterBy('carts.found', 'carts.client_id = ANY ($5::uuid[])');
const listMatching = filterBy(
  'carts.matching',
  `($5::text IS NULL OR EXISTS (
     SELECT FROM clients WHERE clients.token_id = $1 AND clients.id = carts.client_id
       AND (clients.first_name || ' ' || clients.last_name ILIKE $5 OR clients.email ILIKE $5)
   ))`,
);

/** Lists one page of non-empty carts, most recently changed first, with the total count. */
export function listCarts(
  database: Database,
  scope: HolderScope,
  { clientId, search, matches }: CartFilter,
  page: PageRequest,
): Promise<PageRow<FilledCart>[]> {
  const values = [scope.tokenId, page.take, pageOffset(page)];
  if (clientId === null && search === null) return database.query(scope, listAll, values);
  const pattern = search === null ? null : likePattern(search);
  const list = matches === null ? listMatching : listFound;
  return database.query(scope, list, [...values, clientId, matches ?? pattern]);
}
