import { dayMs, hourMs } from '../../lib/utc-days.ts';
import type { CartItemRow, CartRow, DemoClientIds } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import type { PricedStrain } from './generate-catalogue.ts';
import type { DemoClient } from './generate-clients.ts';
import { type Random, uuidV7 } from './random.ts';

/** Enough stock for the carts of the demo and a day of test orders. */
const ampleStock = 150;
const maxQuantity = 10;

interface DemoCarts {
  readonly carts: CartRow[];
  readonly cartItems: CartItemRow[];
  readonly clientIds: DemoClientIds;
}

/** Generates carts for some clients, and chooses a client for each outcome of a checkout. */
export function generateCarts(
  random: Random,
  {
    midnightMs,
    clients,
    strains,
  }: {
    readonly midnightMs: number;
    readonly clients: readonly DemoClient[];
    readonly strains: readonly PricedStrain[];
  },
): DemoCarts {
  const [withoutCart, withEmptyCart, ...regulars] = clients.filter(({ part }) => part === 'regular');
  const [ready, ...newcomers] = clients.filter(({ part }) => part === 'newcomer');
  const [pending, otherPending] = clients.filter(({ part }) => part === 'pending');
  const [rejected] = clients.filter(({ part }) => part === 'rejected');
  if (!withoutCart || !withEmptyCart || !ready || !pending || !otherPending || !rejected) {
    throw new RangeError('There are too few clients for the carts');
  }

  const carts: CartRow[] = [];
  const cartItems: CartItemRow[] = [];

  function addCart(client: DemoClient, lines: number): void {
    const { tokenId, shippingCountryCode } = client.row;
    const earliest = Math.max(Date.parse(client.row.createdAt) + hourMs, midnightMs - 9 * dayMs);
    const createdAt = earliest + Math.floor(random.next() * 0.7 * (midnightMs - earliest));
    const cartId = uuidV7(random, createdAt);
    const chosen = random
      .shuffle(strains.filter((strain) => isOnOffer(strain, shippingCountryCode)))
      .slice(0, lines);
    let time = createdAt;
    for (const { row } of chosen) {
      time = Math.min(time + random.integer(20_000, 600_000), midnightMs);
      const quantity = random.integer(1, maxQuantity);
      cartItems.push({ cartId, strainId: row.id, tokenId, quantity, createdAt: formatTime(time) });
    }
    const updatedAt = formatTime(time);
    carts.push({ id: cartId, tokenId, clientId: client.row.id, createdAt: formatTime(createdAt), updatedAt });
  }

  addCart(withEmptyCart, 0);
  for (const client of regulars.slice(0, 6)) addCart(client, random.integer(1, 4));
  for (const client of newcomers.slice(0, 1)) addCart(client, random.integer(1, 4));
  addCart(ready, 3);
  addCart(pending, 2);
  addCart(otherPending, 1);
  addCart(rejected, 2);

  return {
    carts,
    cartItems,
    clientIds: {
      ready: ready.row.id,
      pending: pending.row.id,
      rejected: rejected.row.id,
      emptyCart: withoutCart.row.id,
    },
  };
}

function isOnOffer({ row, locations }: PricedStrain, countryCode: string): boolean {
  const location = locations.find((each) => each.countryCode === countryCode);
  return row.isAvailable && location !== undefined && location.stockQuantity >= ampleStock;
}
