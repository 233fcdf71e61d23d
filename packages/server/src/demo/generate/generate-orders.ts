import type { ShippingAddress } from '@keyfront/protocol';
import { formatCents } from '../../lib/amounts.ts';
import { dayMs, hourMs } from '../../lib/utc-days.ts';
import { makeInvoiceNumber } from '../../resources/orders/checkout/invoice-number.ts';
import { getMarket } from '../catalogue/markets.ts';
import type { ClientRow, OrderLineRow, OrderRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import type { PricedStrain } from './generate-catalogue.ts';
import type { DemoClient } from './generate-clients.ts';
import { planOrderOutcomes } from './order-outcomes.ts';
import { type Random, uuidV7 } from './random.ts';

const ordersPerKey = 200;
const coveredDays = 120;
/** Relative order volume from Sunday to Saturday. */
const weekdayWeights = [0.55, 0.8, 0.9, 1, 1.15, 1.5, 1.2] as const;

interface DemoOrders {
  readonly orders: OrderRow[];
  readonly orderLines: OrderLineRow[];
}

export function generateOrders(
  random: Random,
  {
    midnightMs,
    tokenId,
    clients,
    strains,
    takenInvoiceNumbers,
  }: {
    readonly midnightMs: number;
    readonly tokenId: number;
    readonly clients: readonly DemoClient[];
    readonly strains: readonly PricedStrain[];
    readonly takenInvoiceNumbers: Set<string>;
  },
): DemoOrders {
  const buyers = clients
    .filter(({ part }) => part === 'regular' || part === 'inactive')
    // Some clients order far more often than others.
    .map((client) => ({ client, weight: 0.4 + 2 * random.next() ** 2 }));
  const times = pickOrderTimes(random, midnightMs).sort((one, other) => other - one);
  const outcomes = planOrderOutcomes(random, times.length);

  const orders: OrderRow[] = [];
  const orderLines: OrderLineRow[] = [];
  times.forEach((createdAt, index) => {
    const outcome = outcomes[index];
    if (!outcome) throw new RangeError('There are fewer outcomes than orders');
    const present = buyers.filter(
      ({ client }) => client.approvedAt <= createdAt && createdAt < client.leftAt,
    );
    const { client } = random.pickWeighted(present, ({ weight }) => weight);
    const orderId = uuidV7(random, createdAt);
    const lines = pickLines(random, strains, client, createdAt);
    const market = getMarket(client.row.shippingCountryCode);
    const subTotalCents = lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0);
    const deliveryCents = subTotalCents >= market.freeFromCents ? 0 : market.deliveryCents;
    const updatedAt = formatTime(Math.min(createdAt + outcome.afterMs, midnightMs));
    orders.push({
      id: orderId,
      tokenId,
      clientId: client.row.id,
      invoiceNumber: takeInvoiceNumber(random, takenInvoiceNumbers),
      orderStatus: outcome.orderStatus,
      paymentStatus: outcome.paymentStatus,
      adminApproval: outcome.adminApproval,
      rejectionNote: outcome.rejectionNote,
      totalAmount: formatCents(subTotalCents + deliveryCents),
      deliveryCharge: formatCents(deliveryCents),
      totalQuantity: lines.reduce((sum, line) => sum + line.quantity, 0),
      currency: market.currency,
      shipping: readAddress(client.row),
      stockReturnedAt: outcome.returnsStock ? updatedAt : null,
      createdAt: formatTime(createdAt),
      updatedAt,
    });
    lines.forEach(({ strain, priceCents, quantity }, position) => {
      orderLines.push({
        orderId,
        lineNumber: position + 1,
        tokenId,
        strainId: strain.row.id,
        strainName: strain.row.name,
        unitPrice: formatCents(priceCents),
        quantity,
      });
    });
  });
  return { orders, orderLines };
}

/** Picks order times: the volume grows over the weeks, follows the weekdays and stays within the daytime. */
function pickOrderTimes(random: Random, midnightMs: number): number[] {
  const days = Array.from({ length: coveredDays }, (_, index) => {
    const start = midnightMs - (coveredDays - index) * dayMs;
    const growth = 0.6 + (0.9 * index) / coveredDays;
    const rhythm = weekdayWeights[new Date(start).getUTCDay()] ?? 1;
    return { start, weight: growth * rhythm };
  });
  return Array.from({ length: ordersPerKey }, () => {
    const { start } = random.pickWeighted(days, ({ weight }) => weight);
    // The mean of two draws favours the middle of the day.
    const hour = 7 + (15 * (random.next() + random.next())) / 2;
    return start + Math.floor(hour * hourMs);
  });
}

function readAddress(client: ClientRow): ShippingAddress {
  return {
    address1: client.shippingAddress1,
    address2: client.shippingAddress2,
    landmark: client.shippingLandmark,
    city: client.shippingCity,
    state: client.shippingState,
    country: client.shippingCountry,
    countryCode: client.shippingCountryCode,
    postalCode: client.shippingPostalCode,
  };
}

function pickLines(random: Random, strains: readonly PricedStrain[], client: DemoClient, time: number) {
  const { shippingCountryCode } = client.row;
  const sold = strains.filter(({ locations }) =>
    locations.some(({ countryCode }) => countryCode === shippingCountryCode),
  );
  const count = random.pickWeighted([1, 2, 3, 4], (lines) => 5 - lines);
  return random
    .shuffle(sold)
    .slice(0, count)
    .map((strain) => ({
      strain,
      priceCents: strain.priceCentsAt(time, shippingCountryCode),
      quantity: random.integer(1, 9),
    }));
}

function takeInvoiceNumber(random: Random, taken: Set<string>): string {
  for (;;) {
    const invoiceNumber = makeInvoiceNumber((bound) => random.integer(0, bound - 1));
    if (taken.has(invoiceNumber)) continue;
    taken.add(invoiceNumber);
    return invoiceNumber;
  }
}
