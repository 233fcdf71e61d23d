import {
  type CartAddition,
  type CartListQuery,
  type CartOfClient,
  type CartPage,
  maximumCartQuantity,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notFound, notInScope } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { findClientMatches, lockClient } from '../clients/client-rules.ts';
import {
  addCartItems,
  cartExists,
  deleteCartItems,
  type HeldStrain,
  listCartOwners,
  listHeldStrains,
  lockCartOwner,
  openCart,
} from './cart-queries.ts';
import { describeCart } from './describe-cart.ts';

// Archiving a client deletes its cart in its own transaction.
export { deleteCartOf } from './cart-queries.ts';

// Every cart change and every checkout locks the client first, so they run one after the other. The cart is read in the
// same pipelined query by a later statement, which sees the state at the time the lock was granted.

/** Adds strains to the client's cart. */
export async function addToCart(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  addition: CartAddition,
): Promise<CartOfClient> {
  const added = sumQuantities(addition.cartItems);
  const [client, cart] = await Promise.all([
    lockClient(run, database, scope, addition.clientId),
    openCart(run, scope, addition.clientId, [...added.keys()]),
  ]);
  if (!cart) throw notFound('Strain');
  const held = addToHeld(cart.held, added);
  addCartItems(run, scope, cart, added);
  return { clientId: client.id, ...describeCart(cart.id, held) };
}

/** Sums the quantities per strain. A request may repeat a strain id, in any letter case. */
function sumQuantities(items: CartAddition['cartItems']): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { strainId, quantity } of items) {
    const id = strainId.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
}

/** Returns the items after the addition, or throws if a strain may not be added. */
function addToHeld(held: readonly HeldStrain[], added: ReadonlyMap<string, number>): HeldStrain[] {
  const after = held.map(({ strain, quantity }) => ({
    strain,
    quantity: quantity + (added.get(strain.id) ?? 0),
  }));
  const byStrain = new Map(after.map((item) => [item.strain.id, item]));
  const changed = [...added.keys()].flatMap((strainId) => byStrain.get(strainId) ?? []);
  if (changed.length < added.size) throw notFound('Strain');
  const currency = (held.find(({ quantity }) => quantity > 0) ?? changed[0])?.strain.currency;
  for (const { strain, quantity } of changed) {
    if (!strain.isAvailable)
      throw new ApiError('STRAIN_NOT_AVAILABLE', { message: `${strain.name} is not available` });
    if (strain.currency !== currency) {
      throw new ApiError('CURRENCY_MISMATCH', {
        message: `The cart holds ${currency} and ${strain.name} is sold in ${strain.currency}`,
      });
    }
    if (quantity > maximumCartQuantity) {
      throw new ApiError('CART_LIMIT_EXCEEDED', {
        message: `A cart holds at most ${maximumCartQuantity} of ${strain.name}`,
      });
    }
  }
  return after;
}

/** Removes one strain or all strains from a cart. The cart itself stays. */
export function removeFromCart(
  database: Database,
  scope: HolderScope,
  cartId: string,
  strainId: string | null,
): Promise<CartOfClient> {
  return database.transaction(scope, async (run) => {
    const [clientId, held] = await Promise.all([
      lockCartOwner(run, scope, cartId),
      listHeldStrains(run, scope, cartId),
    ]);
    if (clientId === null) throw notInScope('Cart', await cartExists(database, cartId));
    const isRemoved = ({ strain }: HeldStrain) => strainId === null || strain.id === strainId.toLowerCase();
    const removed = held.filter(isRemoved).map(({ strain }) => strain.id);
    if (removed.length > 0) deleteCartItems(run, scope, cartId, removed);
    else if (strainId !== null)
      throw new ApiError('RESOURCE_NOT_FOUND', { message: 'Strain is not in the cart' });
    const kept = held.filter((item) => !isRemoved(item));
    return { clientId, ...describeCart(cartId.toLowerCase(), kept) };
  });
}

/** Gets one page of clients with a non-empty cart. An empty filter value means no filter. */
export async function getCartPage(
  database: Database,
  scope: HolderScope,
  query: CartListQuery,
): Promise<CartPage> {
  const page = pageRequest(query);
  const { clientId = null, search = null } = query;
  const matches = search === null ? null : await findClientMatches(database, scope, search);
  const filter = { clientId, search, matches };
  const { owners, itemCount } = await listCartOwners(database, scope, filter, page);
  const clients = owners.map(({ id, firstName, lastName, email, cartId, held }) => ({
    id,
    firstName,
    lastName,
    email,
    clientCart: [describeCart(cartId, held)],
  }));
  return { clients, pageMetaDto: pageMeta(page, itemCount) };
}
