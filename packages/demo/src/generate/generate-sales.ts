import type { SaleStage } from '@keyfront/protocol';
import { dayMs, formatTime, hourMs } from '../values/days.ts';
import { type Random, uuidV7 } from '../values/random.ts';
import type { DemoClient } from './generate-clients.ts';
import type { DemoOrder } from './generate-orders.ts';
import notes from './notes.json' with { type: 'json' };

/** Generates one sale per order, as checkout does, and leads of clients without orders. */
export function generateSales(
  random: Random,
  midnightMs: number,
  clients: readonly DemoClient[],
  orders: readonly DemoOrder[],
) {
  const ofOrders = orders.map(({ row }) => makeSaleOfOrder(random, row));
  const leads = clients
    .filter(({ part }) => part === 'newcomer' || part === 'pending')
    // The first newcomer keeps a lead, so that their first order advances it.
    .filter((_, index) => index % 3 !== 1)
    .map(({ row: client }) => {
      const createdAt = Math.min(Date.parse(client.createdAt) + random.integer(1, 20) * hourMs, midnightMs);
      const updatedAt = Math.min(createdAt + random.integer(0, 2) * dayMs, midnightMs);
      return {
        id: uuidV7(random, createdAt),
        tokenId: client.tokenId,
        clientId: client.id,
        orderId: null,
        stage: 'LEADS' as SaleStage,
        description: random.pick(notes.sales.lead),
        createdAt: formatTime(createdAt),
        updatedAt: formatTime(updatedAt),
      };
    });
  return [...ofOrders, ...leads];
}

function makeSaleOfOrder(random: Random, order: DemoOrder['row']) {
  const isClosed = order.orderStatus === 'DELIVERED' || order.orderStatus === 'CANCELLED';
  const stage: SaleStage = isClosed ? 'CLOSED' : 'ONGOING';
  return {
    id: uuidV7(random, Date.parse(order.createdAt)),
    tokenId: order.tokenId,
    clientId: order.clientId,
    orderId: order.id,
    stage,
    description: random.pick(notesFor(order)),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function notesFor({ orderStatus, adminApproval }: DemoOrder['row']): readonly string[] {
  if (adminApproval === 'REJECTED') return notes.sales.rejected;
  if (orderStatus === 'CANCELLED') return notes.sales.cancelled;
  if (orderStatus === 'DELIVERED') return notes.sales.delivered;
  return orderStatus === 'PENDING' ? notes.sales.waiting : notes.sales.moving;
}
