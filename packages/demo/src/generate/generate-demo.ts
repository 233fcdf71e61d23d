import { dayMs, formatTime, startOfDay } from '../values/days.ts';
import { createRandom, uuidV7 } from '../values/random.ts';
import { requireDefined } from '../values/require-defined.ts';
import { generateCarts } from './generate-carts.ts';
import { generateCatalogue, generateDeliveryCharges, generateTaxRates } from './generate-catalogue.ts';
import { generateClients } from './generate-clients.ts';
import { generateMarketplace } from './generate-marketplace.ts';
import { generateOrders } from './generate-orders.ts';
import { generateSales } from './generate-sales.ts';

/** The rows of the demo by table, with the fields of the columns in camel case. */
export type DemoData = ReturnType<typeof generateDemo>;

interface DemoOptions {
  readonly seed: number;
  readonly today: Date;
  /** Makes an invoice number from a source of random integers below a bound. */
  readonly makeInvoiceNumber: (pickBelow: (bound: number) => number) => string;
}

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
export function generateDemo({ seed, today, makeInvoiceNumber }: DemoOptions) {
  const random = createRandom(seed);
  const midnightMs = startOfDay(today);
  const { planets, strains } = generateCatalogue(random, midnightMs);
  const planetIds = new Map(planets.map(({ number, id }) => [number, id]));

  const joinedAt = midnightMs - holderAgeDays * dayMs;
  const holderIds = holders.map(() => uuidV7(random, joinedAt));
  const { nftSales, transactions, acquiredAt } = generateMarketplace(random, midnightMs, holderIds);

  const invoiceNumbers = new Set<string>();
  function takeInvoiceNumber(): string {
    const invoiceNumber = makeInvoiceNumber((bound) => random.integer(0, bound - 1));
    if (invoiceNumbers.has(invoiceNumber)) return takeInvoiceNumber();
    invoiceNumbers.add(invoiceNumber);
    return invoiceNumber;
  }

  const ofHolders = holders.map(({ name, email, keys }, index) => {
    const holderId = requireDefined(holderIds[index]);
    const ofKeys = keys.map(({ tokenId, planet }) => {
      const planetId = requireDefined(planetIds.get(planet));
      const row = { tokenId, holderId, planetId, acquiredAt: requireDefined(acquiredAt.get(tokenId)) };
      const clients = generateClients(random, midnightMs, tokenId);
      const carts = generateCarts(random, midnightMs, clients, strains);
      const orders = generateOrders(random, midnightMs, { clients, strains, takeInvoiceNumber });
      const sales = generateSales(random, midnightMs, clients, orders);
      return { row, clients, ...carts, orders, sales };
    });
    const row = {
      id: holderId,
      name,
      email,
      tokenIds: keys.map(({ tokenId }) => tokenId),
      primaryTokenId: keys[0].tokenId,
      clientIds: requireDefined(ofKeys[0]).clientIds,
      createdAt: formatTime(joinedAt),
      updatedAt: formatTime(joinedAt),
    };
    return { row, ofKeys };
  });

  const ofKeys = ofHolders.flatMap((holder) => holder.ofKeys);
  const orders = ofKeys.flatMap((key) => key.orders);
  return {
    planets,
    strains: strains.map(({ row }) => row),
    strainLocations: strains.flatMap(({ locations }) => locations),
    deliveryCharges: generateDeliveryCharges(),
    taxRates: generateTaxRates(),
    holders: ofHolders.map(({ row }) => row),
    digitalKeys: ofKeys.map(({ row }) => row),
    clients: ofKeys.flatMap(({ clients }) => clients.map(({ row }) => row)),
    carts: ofKeys.flatMap(({ carts }) => carts),
    cartItems: ofKeys.flatMap(({ cartItems }) => cartItems),
    orders: orders.map(({ row }) => row),
    orderLines: orders.flatMap(({ lines }) => lines),
    paymentCheckouts: orders.flatMap(({ payments }) => payments),
    refunds: orders.flatMap(({ refunds }) => refunds),
    shipments: orders.flatMap(({ shipments }) => shipments),
    sales: ofKeys.flatMap(({ sales }) => sales),
    nftSales,
    transactions,
  };
}
