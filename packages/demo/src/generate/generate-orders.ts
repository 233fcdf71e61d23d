import type { ShippingAddress } from '@keyfront/protocol';
import { getMarket } from '../catalogue/markets.ts';
import { dayMs, formatTime, hourMs } from '../values/days.ts';
import { formatCents } from '../values/format-cents.ts';
import { type Random, uuidV7 } from '../values/random.ts';
import { requireDefined } from '../values/require-defined.ts';
import type { PricedStrain } from './generate-catalogue.ts';
import type { DemoClient } from './generate-clients.ts';
import { planOrderOutcomes } from './order-outcomes.ts';

export type DemoOrder = ReturnType<typeof generateOrders>[number];

const ordersPerKey = 200;
const coveredDays = 120;
/** Relative order volume from Sunday to Saturday. */
const weekdayWeights = [0.55, 0.8, 0.9, 1, 1.15, 1.5, 1.2];

/** Generates the orders of a digital key, each with its lines. */
export function generateOrders(
  random: Random,
  midnightMs: number,
  {
    clients,
    strains,
    takeInvoiceNumber,
  }: {
    readonly clients: readonly DemoClient[];
    readonly strains: readonly PricedStrain[];
    /** Returns another number each time. */
    readonly takeInvoiceNumber: () => string;
  },
) {
  const buyers = clients
    .filter(({ part }) => part === 'regular' || part === 'inactive')
    // Some clients order far more often than others.
    .map((client) => ({ client, weight: 0.4 + 2 * random.next() ** 2 }));
  const times = pickOrderTimes(random, midnightMs).sort((one, other) => other - one);

  return planOrderOutcomes(random, times.length).map(({ afterMs, ...outcome }, index) => {
    const createdAt = requireDefined(times[index]);
    const present = buyers.filter(
      ({ client }) => client.approvedAt <= createdAt && createdAt < client.leftAt,
    );
    const { row: client } = random.pickWeighted(present, ({ weight }) => weight).client;
    const { tokenId } = client;
    const orderId = uuidV7(random, createdAt);
    const market = getMarket(client.shippingCountryCode);
    const lines = pickLines(random, strains, client.shippingCountryCode, createdAt);
    const subTotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
    const deliveryCents = subTotalCents >= market.freeFromCents ? 0 : market.deliveryCents;
    const changedAt = Math.min(createdAt + afterMs, midnightMs);
    const updatedAt = formatTime(changedAt);
    const totalCents = subTotalCents + deliveryCents;
    const taxCents = Math.round((totalCents * market.taxRate) / (100 + market.taxRate));
    const isRefunded = outcome.paymentStatus === 'REFUNDED';
    const isPaid = isRefunded || outcome.paymentStatus === 'PAID';
    const isSent = outcome.orderStatus === 'SHIPPED' || outcome.orderStatus === 'DELIVERED';
    return {
      row: {
        id: orderId,
        tokenId,
        clientId: client.id,
        invoiceNumber: takeInvoiceNumber(),
        ...outcome,
        totalAmount: formatCents(totalCents),
        deliveryCharge: formatCents(deliveryCents),
        totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
        currency: market.currency,
        taxRate: market.taxRate,
        taxAmount: formatCents(taxCents),
        paidAmount: formatCents(isPaid ? totalCents : 0),
        refundedAmount: formatCents(isRefunded ? totalCents : 0),
        shipping: readAddress(client),
        stockReturnedAt: outcome.orderStatus === 'CANCELLED' ? updatedAt : null,
        createdAt: formatTime(createdAt),
        updatedAt,
      },
      lines: lines.map(({ strain, priceCents, quantity }, position) => ({
        orderId,
        lineNumber: position + 1,
        tokenId,
        strainId: strain.id,
        strainName: strain.name,
        unitPrice: formatCents(priceCents),
        quantity,
        shippedQuantity: isSent ? quantity : 0,
      })),
      payments:
        outcome.paymentStatus === 'PENDING'
          ? []
          : [
              {
                id: uuidV7(random, createdAt),
                reference: uuidV7(random, createdAt),
                orderId,
                tokenId,
                status: outcome.paymentStatus,
                refundedAmount: formatCents(isRefunded ? totalCents : 0),
                expiresAt: formatTime(createdAt + hourMs / 2),
                createdAt: formatTime(createdAt),
                paidAt:
                  outcome.paymentStatus === 'PAID' || isRefunded ? formatTime(createdAt + hourMs / 4) : null,
                updatedAt,
              },
            ],
      refunds: isRefunded
        ? [
            {
              id: uuidV7(random, changedAt),
              orderId,
              tokenId,
              amount: formatCents(totalCents),
              reason: 'The order was cancelled.',
              createdAt: updatedAt,
            },
          ]
        : [],
      shipments: isSent
        ? [
            {
              id: uuidV7(random, changedAt),
              orderId,
              tokenId,
              carrier: 'Comet Parcel',
              trackingNumber: `CP${random.integer(100_000_000, 999_999_999)}`,
              trackingUrl: 'https://carrier.example/track',
              lines: lines.map(({ quantity }, position) => ({ number: position + 1, quantity })),
              createdAt: updatedAt,
              updatedAt,
            },
          ]
        : [],
    };
  });
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

function readAddress(client: DemoClient['row']): ShippingAddress {
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

function pickLines(random: Random, strains: readonly PricedStrain[], country: string, time: number) {
  const sold = strains.filter(({ locations }) =>
    locations.some(({ countryCode }) => countryCode === country),
  );
  const count = random.pickWeighted([1, 2, 3, 4], (lines) => 5 - lines);
  return random
    .shuffle(sold)
    .slice(0, count)
    .map(({ row, priceCentsAt }) => ({
      strain: row,
      priceCents: priceCentsAt(time, country),
      quantity: random.integer(1, 9),
    }));
}
