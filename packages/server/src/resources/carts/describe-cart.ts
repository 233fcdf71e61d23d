import type { Cart } from '@keyfront/protocol';
import { formatCents, readCents } from '../../money.ts';
import type { HeldStrain } from './cart-queries.ts';

/** The cart as the wire shows it, at the prices that its strains have at present. */
export function describeCart(id: string, held: readonly HeldStrain[]): Cart {
  let total = 0n;
  let totalQuantity = 0;
  const cartItems = held.map(({ strain, quantity }) => {
    const amount = readCents(strain.retailPrice) * BigInt(quantity);
    total += amount;
    totalQuantity += quantity;
    return { strainId: strain.id, quantity, lineAmount: formatCents(amount), strain };
  });
  return { id, cartItems, totalAmount: formatCents(total), totalQuantity, currency: commonCurrency(held) };
}

/** Null for an empty cart, and for one whose strains were brought into several currencies after they were added. */
function commonCurrency(held: readonly HeldStrain[]): string | null {
  const [currency = null, ...others] = new Set(held.map(({ strain }) => strain.currency));
  return others.length === 0 ? currency : null;
}
