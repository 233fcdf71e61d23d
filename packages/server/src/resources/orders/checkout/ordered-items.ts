import { maximumCartQuantity, type NewOrder } from '@keyfront/protocol';
import { toCents } from '../../../lib/amounts.ts';
import { validationFailed } from '../../../lib/errors/api-error.ts';

/** What an order asks for. */
export interface OrderedItems {
  readonly quantities: ReadonlyMap<string, number>;
  /** Whether the request expects another price for the strain. */
  readonly hasOtherPrice: (strainId: string, cents: bigint) => boolean;
}

/** Reads the items of an order, or throws the 400. A request may repeat a strain id, in any letter case. */
export function readOrderedItems(items: NonNullable<NewOrder['items']>): OrderedItems {
  const quantities = new Map<string, number>();
  const pricesByStrain = new Map<string, bigint[]>();
  items.forEach(({ strainId, productId, quantity, price }) => {
    const id = (strainId ?? productId ?? '').toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
    if (price !== undefined) pricesByStrain.set(id, [...(pricesByStrain.get(id) ?? []), toCents(price)]);
  });
  for (const quantity of quantities.values()) {
    if (quantity > maximumCartQuantity) {
      throw validationFailed([`items must not have more than ${maximumCartQuantity} units of a strain`]);
    }
  }
  return {
    quantities,
    hasOtherPrice: (strainId, cents) => pricesByStrain.get(strainId)?.some((each) => each !== cents) ?? false,
  };
}
