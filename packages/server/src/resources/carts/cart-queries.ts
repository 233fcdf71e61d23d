import { type CartItem, type CartPage, type PageRequest, pageOffset } from '@keyfront/protocol';
import { selectCounters } from '../../database/counters.ts';
import type { Database } from '../../database/database.ts';
import { likePattern } from '../../database/like-pattern.ts';
import { type PageRow, readPage } from '../../database/page-rows.ts';
import { rowExists } from '../../database/row-exists.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { MatchingIds } from '../../database/search-matches.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

/** A strain in a cart, with its current price and stock. */
export interface HeldStrain {
  readonly strain: CartItem['strain'];
  readonly quantity: number;
}

export interface OpenedCart {
  readonly id: string;
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

/** A client whose cart is not empty. */
export type CartOwner = Omit<CartPage['clients'][number], 'clientCart'> & {
  readonly cartId: string;
  readonly held: readonly HeldStrain[];
};

const strain = `json_build_object('id', strains.id, 'name', strains.name, 'retailPrice', strains.retail_price,
  'currency', strains.currency, 'imageUrl', strains.image_url, 'isAvailable', strains.is_available,
  'stockQuantity', strains.stock_quantity)`;

// clock_timestamp() instead of now(): a transaction that waited for the lock must sort its items after those of the lock
// holder.
const open = statement<HeldStrain & { cartId: string; now: string }>(
  'carts.open',
  `WITH cart AS (
     INSERT INTO carts (token_id, client_id) SELECT token_id, id FROM clients WHERE token_id = $1 AND id = $2
     ON CONFLICT (client_id) DO UPDATE SET client_id = excluded.client_id
     RETURNING id, clock_timestamp()::timestamptz(3) AS now
   ), shelf AS (
     SELECT strain_id FROM cart_items WHERE token_id = $1 AND cart_id = (SELECT id FROM cart)
     UNION SELECT unnest($3::uuid[])
   )
   SELECT cart.id AS "cartId", cart.now, ${strain} AS strain, coalesce(cart_items.quantity, 0) AS quantity
   FROM cart CROSS JOIN shelf JOIN strains ON strains.id = shelf.strain_id
   LEFT JOIN cart_items ON cart_items.token_id = $1 AND cart_items.cart_id = cart.id AND cart_items.strain_id = strains.id
   ORDER BY coalesce(cart_items.created_at, cart.now), strains.id`,
);

/**
 * Gets or creates the cart of a client. Returns null if the client is not in the scope, or if the cart is empty and none of
 * the strains exists.
 */
export async function openCart(
  run: RunInTransaction,
  scope: HolderScope,
  clientId: string,
  strainIds: readonly string[],
): Promise<OpenedCart | null> {
  const rows = await run(open, [scope.tokenId, clientId, strainIds]);
  const [first] = rows;
  return first ? { id: first.cartId, now: first.now, held: rows } : null;
}

const addItems = statement(
  'carts.add-items',
  `INSERT INTO cart_items AS held (cart_id, token_id, created_at, strain_id, quantity)
   SELECT $1, $2, $3, added.strain_id, added.quantity
   FROM unnest($4::uuid[], $5::integer[]) AS added (strain_id, quantity)
   ON CONFLICT (cart_id, strain_id) DO UPDATE SET quantity = held.quantity + excluded.quantity`,
);

/** Queues the added items for the commit. */
export function addCartItems(
  run: RunInTransaction,
  scope: HolderScope,
  { id, now }: OpenedCart,
  quantities: ReadonlyMap<string, number>,
): void {
  run.atCommit(addItems, [id, scope.tokenId, now, [...quantities.keys()], [...quantities.values()]]);
}

const lockOwner = statement<{ clientId: string }>(
  'carts.lock-owner',
  `SELECT clients.id AS "clientId" FROM carts
   JOIN clients ON clients.token_id = carts.token_id AND clients.id = carts.client_id
   WHERE carts.token_id = $1 AND carts.id = $2 FOR NO KEY UPDATE OF clients`,
);

/** Locks the owner of the cart, as every cart change and checkout does. Returns null if the cart is not in the scope. */
export async function lockCartOwner(
  run: RunInTransaction,
  scope: HolderScope,
  cartId: string,
): Promise<string | null> {
  const [owner] = await run(lockOwner, [scope.tokenId, cartId]);
  return owner?.clientId ?? null;
}

const listItems = statement<HeldStrain>(
  'carts.items',
  `SELECT ${strain} AS strain, cart_items.quantity FROM cart_items JOIN strains ON strains.id = cart_items.strain_id
   WHERE cart_items.token_id = $1 AND cart_items.cart_id = $2 ORDER BY cart_items.created_at, strains.id`,
);

/** Lists the items of the cart in the order in which they were added. */
export function listHeldStrains(
  run: RunInTransaction,
  scope: HolderScope,
  cartId: string,
): Promise<HeldStrain[]> {
  return run(listItems, [scope.tokenId, cartId]);
}

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
  run: RunInTransaction,
  scope: HolderScope,
  cartId: string,
  strainIds: readonly string[],
): void {
  run.atCommit(removeItems, [scope.tokenId, cartId, strainIds]);
  run.atCommit(touch, [scope.tokenId, cartId]);
}

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
export function deleteCartOf(run: RunInTransaction, scope: HolderScope, clientId: string): void {
  run.atCommit(deleteItemsOfClient, [scope.tokenId, clientId]);
  run.atCommit(deleteOfClient, [scope.tokenId, clientId]);
}

/** Whether the cart exists, in any scope. */
export const cartExists = rowExists('carts');

// Reads strains, and without a search also clients, only for the carts of the page. The LIMIT keeps the planner from
// reading the items of all carts to find out which carts are not empty.
const listPage = (name: string, condition: string) =>
  statement<PageRow<CartOwner>>(
    name,
    `WITH matching AS NOT MATERIALIZED (
     SELECT carts.id, carts.client_id, carts.updated_at FROM carts
     CROSS JOIN LATERAL (
       SELECT FROM cart_items WHERE cart_items.token_id = $1 AND cart_items.cart_id = carts.id LIMIT 1
     ) AS any_item
     WHERE carts.token_id = $1
       AND ($2::uuid IS NULL OR carts.client_id = $2)
       ${condition}
   )
   SELECT total.count AS "itemCount", page.id AS "cartId", clients.id, clients.first_name AS "firstName",
     clients.last_name AS "lastName", clients.email, items.held
   FROM (
     SELECT CASE WHEN $2::uuid IS NULL AND $3::text IS NULL
       THEN (SELECT coalesce(sum(entries), 0)::bigint FROM ${selectCounters('$1', 'cart')} AS counters)
       ELSE (SELECT count(*) FROM matching) END AS count
   ) AS total
   LEFT JOIN (SELECT * FROM matching ORDER BY updated_at DESC, id DESC LIMIT $4 OFFSET $5) AS page ON true
   LEFT JOIN clients ON clients.token_id = $1 AND clients.id = page.client_id
   LEFT JOIN LATERAL (
     SELECT json_agg(json_build_object('strain', ${strain}, 'quantity', cart_items.quantity)
       ORDER BY cart_items.created_at, strains.id) AS held
     FROM cart_items JOIN strains ON strains.id = cart_items.strain_id
     WHERE cart_items.token_id = $1 AND cart_items.cart_id = page.id
   ) AS items ON true
   ORDER BY page.updated_at DESC, page.id DESC`,
    { indexScansOnly: true },
  );
// $3 is the search: the ids that it has found, or its pattern.
const listFound = listPage('carts.found', 'AND carts.client_id = ANY ($3::uuid[])');
const listMatching = listPage(
  'carts.page',
  `AND ($3::text IS NULL OR EXISTS (
     SELECT FROM clients WHERE clients.token_id = $1 AND clients.id = carts.client_id
       AND (clients.first_name || ' ' || clients.last_name ILIKE $3 OR clients.email ILIKE $3)
   ))`,
);

/** Lists one page of clients with a non-empty cart, most recently changed cart first, with the total count. */
export async function listCartOwners(
  database: Database,
  scope: HolderScope,
  { clientId, search, matches }: CartFilter,
  page: PageRequest,
): Promise<{ owners: CartOwner[]; itemCount: number }> {
  const pattern = search === null ? null : likePattern(search);
  const rows = await database.query(scope, matches === null ? listMatching : listFound, [
    scope.tokenId,
    clientId,
    matches ?? pattern,
    page.take,
    pageOffset(page),
  ]);
  const { items: owners, itemCount } = readPage(rows);
  return { owners, itemCount };
}
