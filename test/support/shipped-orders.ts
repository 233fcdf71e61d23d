import type { AdminOrderChange, OrderDetails, OrderWithLines, Refund, Shipment } from '@keyfront/protocol';
import { stockOf } from './order-data.ts';
import { dataOf, type Reply, type Storefront } from './storefront.ts';
import { insertClient, insertStrain } from './storefront-data.ts';

/** What tests of parcels and refunds do with an order of 4 units at 12.50 and 3 units at 0.99 EUR, which is 52.97 EUR. */
export function openShipping({ holder, admin, sql }: Storefront) {
  return {
    placeOrder: async (
      state: AdminOrderChange | null = { adminApproval: 'VERIFIED', paymentStatus: 'PAID' },
    ) => {
      const { id: clientId } = await insertClient(sql, holder.tokenId);
      const strains = [
        await insertStrain(sql, { price: 12.5, stock: 10 }),
        await insertStrain(sql, { price: 0.99, stock: 10 }),
      ];
      const items = strains.map(({ id: strainId }, at) => ({ strainId, quantity: 4 - at }));
      const placed = dataOf<OrderWithLines>(
        await holder.ask('POST', '/dapp/orders', { body: { clientId, items } }),
      );
      const path = `/admin/orders/${placed.id}`;
      const change = (body: AdminOrderChange) => admin.ask('PATCH', path, { body });
      if (state) dataOf(await change(state));
      const [first = '', second = ''] = placed.orderLines.map(({ id }) => id);
      return {
        ...{ id: placed.id, clientId, placed, first, second, change },
        read: async () => dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${placed.id}`)),
        ship: (body: object): Promise<Reply> => admin.ask('POST', `${path}/shipments`, { body }),
        refund: (body: object, headers: Record<string, string> = {}): Promise<Reply> =>
          admin.ask('POST', `${path}/refunds`, { body: { reason: 'Broken', ...body }, headers }),
        stock: () => Promise.all(strains.map(({ id }) => stockOf(sql, id))),
      };
    },
  };
}

export const shipmentIn = (reply: Reply) => dataOf<Shipment>(reply);
export const refundIn = (reply: Reply) => dataOf<Refund>(reply);
