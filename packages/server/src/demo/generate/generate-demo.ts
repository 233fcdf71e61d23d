import { dayMs, startOfDay } from '../../lib/utc-days.ts';
import type {
  CartItemRow,
  CartRow,
  ClientRow,
  DemoData,
  DigitalKeyRow,
  HolderRow,
  OrderLineRow,
  OrderRow,
  SaleRow,
} from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { generateCarts } from './generate-carts.ts';
import { generateCatalogue, generateDeliveryCharges } from './generate-catalogue.ts';
import { generateClients } from './generate-clients.ts';
import { generateMarketplace } from './generate-marketplace.ts';
import { generateOrders } from './generate-orders.ts';
import { generateSales } from './generate-sales.ts';
import { createRandom, uuidV7 } from './random.ts';

const holderAgeDays = 300;

/** The first digital key of each holder is the primary one. */
const holders = [
  {
    name: 'Amira Castellan',
    email: 'amira.castellan@example.com',
    keys: [
      { tokenId: 1001, planet: 7 },
      { tokenId: 1002, planet: 13 },
    ],
  },
  {
    name: 'Joris Veldkamp',
    email: 'joris.veldkamp@example.org',
    keys: [
      { tokenId: 2001, planet: 11 },
      { tokenId: 2002, planet: 18 },
    ],
  },
] as const;

/** Generates the demo without its secrets. The result depends only on seed and day, and contains no time after today. */
export function generateDemo({ seed, today }: { seed: number; today: Date }): DemoData {
  const random = createRandom(seed);
  const midnightMs = startOfDay(today);
  const { planets, strains } = generateCatalogue(random, midnightMs);
  const planetIds = new Map(planets.map(({ number, id }) => [number, id]));

  const joinedAt = midnightMs - holderAgeDays * dayMs;
  const holderIds = holders.map(() => uuidV7(random, joinedAt));
  const { nftSales, transactions, acquiredAt } = generateMarketplace(random, midnightMs, holderIds);

  const holderRows: HolderRow[] = [];
  const digitalKeys: DigitalKeyRow[] = [];
  const clientRows: ClientRow[] = [];
  const carts: CartRow[] = [];
  const cartItems: CartItemRow[] = [];
  const orders: OrderRow[] = [];
  const orderLines: OrderLineRow[] = [];
  const sales: SaleRow[] = [];
  const takenInvoiceNumbers = new Set<string>();

  holders.forEach(({ name, email, keys }, index) => {
    const holderId = requireDefined(holderIds[index]);
    const trialClients = keys.map(({ tokenId, planet }) => {
      const planetId = requireDefined(planetIds.get(planet));
      digitalKeys.push({ tokenId, holderId, planetId, acquiredAt: requireDefined(acquiredAt.get(tokenId)) });

      const clients = generateClients(random, midnightMs, tokenId);
      clientRows.push(...clients.map(({ row }) => row));

      const ofCarts = generateCarts(random, { midnightMs, clients, strains });
      carts.push(...ofCarts.carts);
      cartItems.push(...ofCarts.cartItems);

      const ofOrders = generateOrders(random, { midnightMs, tokenId, clients, strains, takenInvoiceNumbers });
      orders.push(...ofOrders.orders);
      orderLines.push(...ofOrders.orderLines);

      sales.push(...generateSales(random, { midnightMs, tokenId, clients, orders: ofOrders.orders }));
      return ofCarts.clientIds;
    });
    holderRows.push({
      id: holderId,
      name,
      email,
      tokenIds: keys.map(({ tokenId }) => tokenId),
      primaryTokenId: keys[0].tokenId,
      clientIds: requireDefined(trialClients[0]),
      createdAt: formatTime(joinedAt),
      updatedAt: formatTime(joinedAt),
    });
  });

  return {
    planets,
    strains: strains.map(({ row }) => row),
    strainLocations: strains.flatMap(({ locations }) => locations),
    deliveryCharges: generateDeliveryCharges(),
    holders: holderRows,
    digitalKeys,
    clients: clientRows,
    carts,
    cartItems,
    orders,
    orderLines,
    sales,
    nftSales,
    transactions,
  };
}

function requireDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('The demo does not fit together');
  return value;
}
