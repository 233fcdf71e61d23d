import { randomUUID } from 'node:crypto';
import { NotFoundError } from '@keyfront/sdk';
import { formatPrice } from './format.ts';
import { keyfront, pictureUrl, read } from './keyfront.server.ts';
import type { ShopSession } from './session.server.ts';

/** What a visitor wants to buy. It is in the session, so it is there before anybody signs in. */
export interface Cart {
  /** Another one after each change. An order carries it, so that the same cart is ordered once. */
  readonly id: string;
  readonly quantities: Readonly<Record<string, number>>;
}

/** So that the cart fits into a cookie. */
const maxLines = 20;
export const maxQuantity = 99;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const emptyCart: Cart = { id: '', quantities: {} };

export function getCart(session: ShopSession): Cart {
  return session.get('cart') ?? emptyCart;
}

export function countItems({ quantities }: Cart): number {
  return Object.values(quantities).reduce((sum, quantity) => sum + quantity, 0);
}

/** Changes the cart. Returns what keeps it from being changed, as a sentence for the visitor, or null. */
export function changeCart(session: ShopSession, strainId: string, quantity: number): string | null {
  if (!uuidForm.test(strainId)) return 'There is no such strain.';
  if (!Number.isInteger(quantity) || quantity < 0) return 'Enter a whole number.';
  if (quantity > maxQuantity) return `At most ${maxQuantity} of a strain fit into the cart.`;
  const { [strainId]: _, ...others } = getCart(session).quantities;
  const quantities = quantity > 0 ? { ...others, [strainId]: quantity } : others;
  if (Object.keys(quantities).length > maxLines) return `At most ${maxLines} strains fit into the cart.`;
  session.set('cart', { id: randomUUID(), quantities });
  return null;
}

/** The cart with the prices, the stock and the delivery of a country, as they are now. */
export async function priceCart({ id, quantities }: Cart, countryCode: string) {
  const lines = await Promise.all(
    Object.entries(quantities).map(([strainId, quantity]) => priceLine(strainId, quantity, countryCode)),
  );
  const sold = lines.flatMap(({ offer, quantity }) => (offer ? [{ offer, quantity }] : []));
  const currency = sold[0]?.offer.currency ?? 'EUR';
  // In whole cents, because fractions of a euro are not exact in a number.
  const subTotal = sold.reduce(
    (sum, { offer, quantity }) => sum + Math.round(offer.price * 100) * quantity,
    0,
  );
  const { deliveryCharge = 0, freeDeliveryAbove = null } = sold[0]?.offer ?? {};
  const isFree = freeDeliveryAbove !== null && subTotal >= Math.round(freeDeliveryAbove * 100);
  const delivery = isFree ? 0 : Math.round(deliveryCharge * 100);
  const format = (cents: number) => formatPrice(cents / 100, currency);
  return {
    id,
    lines: lines.map(({ offer, ...line }) => ({
      ...line,
      price: offer?.price ?? null,
      priceText: offer ? formatPrice(offer.price, offer.currency) : null,
    })),
    subTotal: format(subTotal),
    delivery: delivery === 0 ? 'free' : format(delivery),
    total: format(subTotal + delivery),
    canOrder: lines.length > 0 && lines.every(({ problem }) => problem === null),
  };
}

async function priceLine(strainId: string, quantity: number, countryCode: string) {
  const strain = await findStrain(strainId, countryCode);
  const location = strain?.strainLocations.find((each) => each.location.countryCode === countryCode);
  const offer = location && {
    price: location.retailPrice,
    currency: location.currency,
    deliveryCharge: location.location.deliveryCharge,
    freeDeliveryAbove: location.location.freeDeliveryAbove,
  };
  const stock = location?.isAvailable ? location.stockQuantity : 0;
  return {
    strainId,
    quantity,
    name: strain?.name ?? 'A strain that is gone',
    picture: pictureUrl(strain?.imageUrl ?? null),
    offer: offer ?? null,
    problem: describeProblem(location ? stock : null, quantity),
  };
}

function findStrain(strainId: string, countryCode: string) {
  return read(
    keyfront.strains.get(strainId, { countryCode }).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    }),
  );
}

/** Why a line cannot be ordered. `stock` is null where the strain is not sold. */
function describeProblem(stock: number | null, quantity: number): string | null {
  if (stock === null) return 'Not sold in your country. Remove it, or choose another country.';
  if (stock === 0) return 'Sold out.';
  if (stock < quantity) return `Only ${stock} left.`;
  return null;
}
