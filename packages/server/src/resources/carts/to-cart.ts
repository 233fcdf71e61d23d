import type { Cart, CartOfClient } from '@keyfront/protocol';
import { toAmount, toCents } from '../../lib/amounts.ts';
import { computeDeliveryCents } from '../delivery-charges/compute-delivery.ts';
import type { CartOwner, FilledCart, HeldStrain } from './cart-queries.ts';

/** Converts a cart to its response, at the current prices of the country that it would be shipped to. */
export function toCart(
  { cartId, charges }: Pick<CartOwner, 'cartId' | 'charges'>,
  held: readonly HeldStrain[],
): Cart {
  let subTotalCents = 0n;
  let totalQuantity = 0;
  const cartItems = held.map(({ strain, quantity }) => {
    const cents = toCents(strain.retailPrice) * BigInt(quantity);
    subTotalCents += cents;
    totalQuantity += quantity;
    const amount = toAmount(cents);
    return { strainId: strain.id, quantity, lineAmount: amount, totalAmount: amount, strain };
  });
  const currency = findCommonCurrency(held);
  const deliveryCents = computeDeliveryCents(charges, currency, subTotalCents);
  return {
    id: cartId,
    cartItems,
    subTotal: toAmount(subTotalCents),
    deliveryCharge: toAmount(deliveryCents),
    totalAmount: toAmount(subTotalCents + deliveryCents),
    totalQuantity,
    totalQuatity: totalQuantity,
    currency,
  };
}

/** Converts a cart and its client to the response of the operations of one cart. */
export function toCartOfClient(owner: CartOwner, held: readonly HeldStrain[]): CartOfClient {
  const cart = toCart(owner, held);
  return { clientId: owner.id, ...cart, clients: [toClientWithCart(owner, cart)] };
}

/** Converts a cart and its client to a row of the list. */
export function toListedCart(filled: FilledCart): CartOfClient['clients'][number] {
  return toClientWithCart(filled, toCart(filled, filled.held));
}

function toClientWithCart({ id, firstName, lastName, email }: CartOwner, cart: Cart) {
  return { id, firstName, lastName, email, clientCart: [cart] };
}

/** Returns null for an empty cart, and for one whose strains changed to different currencies after they were added. */
function findCommonCurrency(held: readonly HeldStrain[]): string | null {
  const [currency = null, ...others] = new Set(held.map(({ strain }) => strain.currency));
  return others.length === 0 ? currency : null;
}
