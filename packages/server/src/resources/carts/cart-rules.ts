import {
  type CartAddition,
  type CartAdditionQuery,
  type CartListQuery,
  type CartOfClient,
  type CartPage,
  maximumCartQuantity,
} from '@keyfront/protocol';
import { nameCountry } from '@keyfront/validation/countries';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound, notInScope, validationFailed } from '../../lib/errors/api-error.ts';
import { clientExists, findClientMatches, throwClientNotInScope } from '../clients/client-rules.ts';
import {
  addCartItems,
  type CartOwner,
  cartExists,
  deleteCartItems,
  findCart,
  type HeldStrain,
  listCarts,
  listHeldStrains,
  lockCartOwner,
  openCart,
  replaceCartItems,
} from './cart-queries.ts';
import { toCartOfClient, toListedCart } from './to-cart.ts';

// Archiving a client deletes its cart in its own transaction.
export { deleteCartOf } from './cart-queries.ts';

// Every cart change and every checkout locks the client first, so they run one after the other. The cart is read in the
// same pipelined query by a later statement, which sees the state at the time the lock was granted.

/** Adds strains to the client's cart. */
export async function addToCart(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  addition: CartAddition,
  query: CartAdditionQuery,
): Promise<CartOfClient> {
  const { clientId, clientCartId } = readCartReference(addition, query);
  const added = sumQuantities(addition.cartItems ?? addition.items ?? []);
  const reference = clientId ?? clientCartId;
  const [owner, cart] = await Promise.all([
    lockCartOwner(tx, scope, reference),
    openCart(tx, scope, reference, [...added.keys()]),
  ]);
  if (!owner || !cart) {
    return clientId === null
      ? throwCartNotInScope(database, clientCartId)
      : throwClientNotInScope(database, clientId);
  }
  if (clientCartId !== null && clientCartId !== owner.cartId && clientCartId !== owner.id) {
    throw validationFailed(['clientCartId must be the cart of the client']);
  }
  const held = cart.held.map(({ strain, quantity }) => ({
    strain,
    quantity: quantity + (added.get(strain.id) ?? 0),
  }));
  const currency = cart.held.find(({ quantity }) => quantity > 0)?.strain.currency ?? null;
  rejectUnfitStrains(owner, held, [...added.keys()], currency);
  addCartItems(tx, scope, owner.cartId, cart.now, added);
  return toCartOfClient(owner, held);
}

type CartReference =
  | { readonly clientId: string; readonly clientCartId: string | null }
  | { readonly clientId: null; readonly clientCartId: string };

/** Reads whose cart is meant. Existing storefronts name the client in the body or in the query, or its cart. */
function readCartReference(addition: CartAddition, query: CartAdditionQuery): CartReference {
  const clientIds = new Set(
    [addition.clientId, query.clientId].flatMap((id) => (id === undefined ? [] : id.toLowerCase())),
  );
  if (clientIds.size > 1) throw validationFailed(['clientId must be the same in body and query']);
  const [clientId = null] = clientIds;
  const clientCartId = addition.clientCartId?.toLowerCase() ?? null;
  if (clientId !== null) return { clientId, clientCartId };
  if (clientCartId === null) throw validationFailed(['clientId is required']);
  return { clientId, clientCartId };
}

/** Replaces the content of a cart. */
export function replaceCart(
  database: Database,
  scope: HolderScope,
  cartId: string,
  items: readonly RequestedItem[],
): Promise<CartOfClient> {
  const wanted = sumQuantities(items);
  return database.transaction(scope, async (tx) => {
    const [owner, cart] = await Promise.all([
      lockCartOwner(tx, scope, cartId),
      openCart(tx, scope, cartId, [...wanted.keys()]),
    ]);
    if (!owner || !cart) return throwCartNotInScope(database, cartId);
    const held = cart.held.flatMap(({ strain }) => {
      const quantity = wanted.get(strain.id);
      return quantity === undefined ? [] : { strain, quantity };
    });
    rejectUnfitStrains(owner, held, [...wanted.keys()], null);
    replaceCartItems(tx, scope, owner.cartId, cart.now, wanted);
    return toCartOfClient(owner, held);
  });
}

interface RequestedItem {
  readonly strainId: string;
  readonly quantity: number;
}

/** Sums the quantities per strain. A request may repeat a strain id, in any letter case. */
function sumQuantities(items: readonly RequestedItem[]): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { strainId, quantity } of items) {
    const id = strainId.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
}

/**
 * Throws if one of these strains may not be in the cart. `currency` is that of the items which are in the cart already; without any,
 * the first strain decides.
 */
function rejectUnfitStrains(
  { countryCode }: CartOwner,
  held: readonly HeldStrain[],
  strainIds: readonly string[],
  currency: string | null,
): void {
  const byStrain = new Map(held.map((item) => [item.strain.id, item]));
  const changed = strainIds.flatMap((strainId) => byStrain.get(strainId) ?? []);
  if (changed.length < strainIds.length) throw notFound('Strain');
  const cartCurrency = currency ?? changed[0]?.strain.currency;
  for (const { strain, quantity } of changed) {
    if (!strain.isSold) {
      throw new ApiError('NOT_SOLD_IN_COUNTRY', {
        message: `${strain.name} is not sold in ${nameCountry(countryCode)}`,
      });
    }
    if (!strain.isOffered)
      throw new ApiError('STRAIN_NOT_AVAILABLE', { message: `${strain.name} is not available` });
    if (strain.currency !== cartCurrency) {
      throw new ApiError('CURRENCY_MISMATCH', {
        message: `The cart holds ${cartCurrency} and ${strain.name} is sold in ${strain.currency}`,
      });
    }
    if (quantity > maximumCartQuantity) {
      throw new ApiError('CART_LIMIT_EXCEEDED', {
        message: `A cart holds at most ${maximumCartQuantity} of ${strain.name}`,
      });
    }
  }
}

/** Removes one strain or all strains from a cart. The cart itself stays. */
export function removeFromCart(
  database: Database,
  scope: HolderScope,
  cartId: string,
  strainId: string | null,
): Promise<CartOfClient> {
  return removeItems(database, scope, cartId, strainId, () => throwCartNotInScope(database, cartId));
}

/** Removes all strains from the cart of a client. */
export function emptyCartOfClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<CartOfClient> {
  return removeItems(database, scope, clientId, null, () => throwClientNotInScope(database, clientId));
}

function removeItems(
  database: Database,
  scope: HolderScope,
  cartOrClientId: string,
  strainId: string | null,
  throwNotInScope: () => Promise<never>,
): Promise<CartOfClient> {
  return database.transaction(scope, async (tx) => {
    const [owner, held] = await Promise.all([
      lockCartOwner(tx, scope, cartOrClientId),
      listHeldStrains(tx, scope, cartOrClientId),
    ]);
    if (!owner) return throwNotInScope();
    const isRemoved = ({ strain }: HeldStrain) => strainId === null || strain.id === strainId.toLowerCase();
    const removed = held.filter(isRemoved).map(({ strain }) => strain.id);
    if (removed.length > 0) deleteCartItems(tx, scope, owner.cartId, removed);
    else if (strainId !== null)
      throw new ApiError('RESOURCE_NOT_FOUND', { message: 'Strain is not in the cart' });
    return toCartOfClient(
      owner,
      held.filter((item) => !isRemoved(item)),
    );
  });
}

/** Gets a cart by its id or by that of its client, or throws the 404 or 403. */
export async function getCart(database: Database, scope: HolderScope, cartId: string): Promise<CartOfClient> {
  const cart = (await findCart(database, scope, cartId)) ?? (await throwCartNotInScope(database, cartId));
  return toCartOfClient(cart, cart.held);
}

/** Gets one page of clients with a non-empty cart. An empty filter value means no filter. */
export async function getCartPage(
  database: Database,
  scope: HolderScope,
  query: CartListQuery,
): Promise<CartPage> {
  const { clientId = null, search = null } = query;
  const matches = search === null ? null : await findClientMatches(database, scope, search);
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listCarts(database, scope, { clientId, search, matches }, page),
  );
  return { clients: items.map(toListedCart), pageMetaDto };
}

/** Throws the 403 for a cart of another digital key, or the 404. A cart without a row has the id of its client. */
async function throwCartNotInScope(database: Database, cartId: string): Promise<never> {
  throw notInScope('Cart', (await cartExists(database, cartId)) || (await clientExists(database, cartId)));
}
