import { dayMs, hourMs } from '../../lib/utc-days.ts';
import type { OrderRow, SaleRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import type { DemoClient } from './generate-clients.ts';
import { type Random, uuidV7 } from './random.ts';

const descriptions = {
  lead: [
    'Asked which strains help with sleep; sent the evening selection.',
    'Came through a friend, wants to start with something mild.',
    'Called about delivery times, said they would think it over.',
    'Wants a quote for a monthly parcel.',
    'Signed up at the open day and asked to be called back.',
    'Compared prices with the pharmacy nearby; send the new list.',
    'Waiting for the prescription, then ready to order.',
  ],
  waiting: [
    'Order is in, waiting for the payment.',
    'Asked for delivery on a weekday morning.',
    'Wants to be told as soon as it is on its way.',
    'Added one strain to try, may stay with it.',
  ],
  moving: [
    'Paid; being packed.',
    'On its way, tracking number sent.',
    'Asked to leave the parcel with the neighbour.',
    'Half of it is for the holidays, next order in a few weeks.',
  ],
  delivered: [
    'Delivered, client is happy.',
    'Arrived a day early.',
    'Delivered; asked for the same again next month.',
    'All well. Liked the note in the parcel.',
    'Delivered. Found the taste stronger than expected, suggest a milder one.',
    'Delivered, wants to hear about new arrivals.',
  ],
  cancelled: [
    'Changed their mind before it was packed.',
    'The card was declined and no other came.',
    'Cancelled; will order again after the holidays.',
    'Could not be delivered in time, parted on good terms.',
  ],
  rejected: [
    'Not approved; explained the reason on the phone.',
    'Turned down by the review, client was told.',
  ],
} as const;

interface SaleSources {
  readonly midnightMs: number;
  readonly tokenId: number;
  readonly clients: readonly DemoClient[];
  readonly orders: readonly OrderRow[];
}

/** Generates one sale per order, as checkout does, and leads of clients without orders. */
export function generateSales(
  random: Random,
  { midnightMs, tokenId, clients, orders }: SaleSources,
): SaleRow[] {
  const ofOrders = orders.map((order) => makeSaleOfOrder(random, order));
  const leads = clients
    .filter(({ part }) => part === 'newcomer' || part === 'pending')
    // The first newcomer keeps a lead, so that their first order advances it.
    .filter((_, index) => index % 3 !== 1)
    .map(({ row }): SaleRow => {
      const createdAt = Math.min(Date.parse(row.createdAt) + random.integer(1, 20) * hourMs, midnightMs);
      const updatedAt = Math.min(createdAt + random.integer(0, 2) * dayMs, midnightMs);
      return {
        id: uuidV7(random, createdAt),
        tokenId,
        clientId: row.id,
        orderId: null,
        stage: 'LEADS',
        description: random.pick(descriptions.lead),
        createdAt: formatTime(createdAt),
        updatedAt: formatTime(updatedAt),
      };
    });
  return [...ofOrders, ...leads];
}

function makeSaleOfOrder(random: Random, order: OrderRow): SaleRow {
  const isClosed = order.orderStatus === 'DELIVERED' || order.orderStatus === 'CANCELLED';
  return {
    id: uuidV7(random, Date.parse(order.createdAt)),
    tokenId: order.tokenId,
    clientId: order.clientId,
    orderId: order.id,
    stage: isClosed ? 'CLOSED' : 'ONGOING',
    description: random.pick(descriptionsFor(order)),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function descriptionsFor({ orderStatus, adminApproval }: OrderRow): readonly string[] {
  if (adminApproval === 'REJECTED') return descriptions.rejected;
  if (orderStatus === 'CANCELLED') return descriptions.cancelled;
  if (orderStatus === 'DELIVERED') return descriptions.delivered;
  return orderStatus === 'PENDING' ? descriptions.waiting : descriptions.moving;
}
