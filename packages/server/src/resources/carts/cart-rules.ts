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
import { lockClient } from '../clients/client-rules.ts';
import {
  cartExists,
  deleteItems,
  type HeldStrain,
  insertItems,
  listCartOwners,
  listHeldStrains,
  lockCartOwner,
  openCart,
} from './cart-queries.ts';
import { describeCart } from './describe-cart.ts';

// Whoever changes a cart holds the lock of its client, as does whoever makes an order of it: none comes between. The cart
// is read in the same flight, by a later statement, which sees what was there when the lock was had.

/** Adds strains to the client's cart. */
export async function addToCart(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  addition: CartAddition,
): Promise<CartOfClient> {
  const added = addUp(addition.cartItems);
  const [client, cart] = await Promise.all([
    lockClient(run, database, scope, addition.clientId),
    openCart(run, scope, addition.clientId, [...added.keys()]),
  ]);
  if (!cart) throw notFound('Strain');
  const held = putInto(cart.held, added);
  insertItems(run, scope, cart, added);
  return { clientId: client.id, ...describeCart(cart.id, held) };
}

/** How much of each strain, which may stand there more than once and in any case of its letters. */
function addUp(items: CartAddition['cartItems']): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { strainId, quantity } of items) {
    const id = strainId.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
}

/** What the cart holds afterwards, unless a strain may not go into it. */
function putInto(held: readonly HeldStrain[], added: ReadonlyMap<string, number>): HeldStrain[] {
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

/** Takes one strain out of a cart, or all of them; the cart itself stays. */
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
    const isTaken = ({ strain }: HeldStrain) => strainId === null || strain.id === strainId.toLowerCase();
    const taken = held.filter(isTaken).map(({ strain }) => strain.id);
    if (taken.length > 0) deleteItems(run, scope, cartId, taken);
    else if (strainId !== null)
      throw new ApiError('RESOURCE_NOT_FOUND', { message: 'Strain is not in the cart' });
    const kept = held.filter((item) => !isTaken(item));
    return { clientId, ...describeCart(cartId.toLowerCase(), kept) };
  });
}

/** The page of clients with something in the cart that a query asks for. A filter that is empty is no filter. */
export async function getCartPage(
  database: Database,
  scope: HolderScope,
  query: CartListQuery,
): Promise<CartPage> {
  const page = pageRequest(query);
  const filter = { clientId: query.clientId ?? null, search: query.search ?? null };
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
