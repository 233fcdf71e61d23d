import type { Cart } from '@keyfront/protocol';
import { toAmount, toCents } from '../../amounts.ts';
import type { HeldStrain } from './cart-queries.ts';

/** Converts a cart to its response, at current prices. */
export function describeCart(id: string, held: readonly HeldStrain[]): Cart {
  let total = 0n;
  let totalQuantity = 0;
  const cartItems = held.map(({ strain, quantity }) => {
    const amount = toCents(strain.retailPrice) * BigInt(quantity);
    total += amount;
    totalQuantity += quantity;
    return { strainId: strain.id, quantity, lineAmount: toAmount(amount), strain };
  });
  return { id, cartItems, totalAmount: toAmount(total), totalQuantity, currency: commonCurrency(held) };
}

/** Returns null for an empty cart, and for one whose strains changed to different currencies after they were added. */
function commonCurrency(held: readonly HeldStrain[]): string | null {
  const [currency = null, ...others] = new Set(held.map(({ strain }) => strain.currency));
  return others.length === 0 ? currency : null;
}
