import { dayMs, formatTime, hourMs } from '../values/days.ts';
import { type Random, uuidV7 } from '../values/random.ts';
import type { PricedStrain } from './generate-catalogue.ts';
import type { DemoClient } from './generate-clients.ts';

/** Enough stock for the carts of the demo and a day of test orders. */
const ampleStock = 150;
const maxQuantity = 10;

/** Generates carts for some clients, and chooses a client for each outcome of a checkout. */
export function generateCarts(
  random: Random,
  midnightMs: number,
  clients: readonly DemoClient[],
  strains: readonly PricedStrain[],
) {
  const [withoutCart, withEmptyCart, ...regulars] = clients.filter(({ part }) => part === 'regular');
  const [ready, ...newcomers] = clients.filter(({ part }) => part === 'newcomer');
  const [pending, otherPending] = clients.filter(({ part }) => part === 'pending');
  const [rejected] = clients.filter(({ part }) => part === 'rejected');
  if (!withoutCart || !withEmptyCart || !ready || !pending || !otherPending || !rejected) {
    throw new RangeError('There are too few clients for the carts');
  }

  function makeCart({ row: client }: DemoClient, lines: number) {
    const { tokenId, shippingCountryCode } = client;
    const earliest = Math.max(Date.parse(client.createdAt) + hourMs, midnightMs - 9 * dayMs);
    const createdAt = earliest + Math.floor(random.next() * 0.7 * (midnightMs - earliest));
    const cartId = uuidV7(random, createdAt);
    const onOffer = strains.filter((strain) => isOnOffer(strain, shippingCountryCode));
    let time = createdAt;
    const items = random
      .shuffle(onOffer)
      .slice(0, lines)
      .map(({ row }) => {
        time = Math.min(time + random.integer(20_000, 600_000), midnightMs);
        const quantity = random.integer(1, maxQuantity);
        return { cartId, strainId: row.id, tokenId, quantity, createdAt: formatTime(time) };
      });
    const times = { createdAt: formatTime(createdAt), updatedAt: formatTime(time) };
    return { row: { id: cartId, tokenId, clientId: client.id, ...times }, items };
  }

  const carts = [
    makeCart(withEmptyCart, 0),
    ...[...regulars.slice(0, 6), ...newcomers.slice(0, 1)].map((client) =>
      makeCart(client, random.integer(1, 4)),
    ),
    makeCart(ready, 3),
    makeCart(pending, 2),
    makeCart(otherPending, 1),
    makeCart(rejected, 2),
  ];

  return {
    carts: carts.map(({ row }) => row),
    cartItems: carts.flatMap(({ items }) => items),
    /** One client for each outcome of a checkout. All but `emptyCart` have a filled cart, of strains in stock. */
    clientIds: {
      /** Can order. */
      ready: ready.row.id,
      /** Waits for approval. */
      pending: pending.row.id,
      /** Was rejected. */
      rejected: rejected.row.id,
      /** Can order, but has an empty cart. */
      emptyCart: withoutCart.row.id,
    },
  };
}

function isOnOffer({ row, locations }: PricedStrain, countryCode: string): boolean {
  const location = locations.find((each) => each.countryCode === countryCode);
  return row.isAvailable && location !== undefined && location.stockQuantity >= ampleStock;
}
