import type { OrderHistory, OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertReadyClient, stockOf } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, stranger, sql } = await openStorefront();
const body = { orderStatus: 'CANCELLED' };

async function placeOrder() {
  const { clientId, strainId } = await insertReadyClient(sql, holder.tokenId, { quantity: 4, stock: 10 });
  const order = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  return { order, strainId, cancel: () => holder.ask('PATCH', `/dapp/orders/${order.id}`, { body }) };
}

it('cancels an order once: returns the stock to its country, closes the sale, writes the history', async () => {
  const { order, strainId, cancel } = await placeOrder();
  await sql(`INSERT INTO strain_locations (strain_id, country_code, stock_quantity) VALUES ($1, 'DEU', 1)`, [
    strainId,
  ]);
  // The address of the client is no longer that of the order.
  await sql(`UPDATE clients SET shipping_country_code = 'DEU' WHERE id = $1`, [order.client.id]);
  const replies = await Promise.all([cancel(), cancel(), cancel()]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [first] = replies;
  expect(dataOf<OrderWithLines>(first ?? (await cancel()))).toEqual({
    ...order,
    orderStatus: 'CANCELLED',
    status: 'CANCELLED',
    updatedAt: expect.any(String),
  });
  expect([await stockOf(sql, strainId), await stockOf(sql, strainId, 'DEU')]).toEqual([10, 1]);
  const { history } = dataOf<OrderHistory>(await holder.ask('GET', `/dapp/orders/${order.id}/history`));
  expect(history.map(({ orderStatus, author }) => [orderStatus, author])).toEqual([
    ['PENDING', 'HOLDER'],
    ['CANCELLED', 'HOLDER'],
  ]);
  expect(await sql('SELECT stage FROM sales WHERE order_id = $1', [order.id])).toEqual([{ stage: 'CLOSED' }]);
});

it.each([
  { adminApproval: 'VERIFIED' },
  { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' },
  { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' },
  { paymentStatus: 'PROCESSING' },
])('refuses an order that somebody has worked on: %j', async (change) => {
  const { order, strainId, cancel } = await placeOrder();
  dataOf(await admin.ask('PATCH', `/admin/orders/${order.id}`, { body: change }));
  const reply = await cancel();
  expect([reply.status, reply.envelope.code]).toEqual([403, 'ORDER_TRANSITION_REFUSED']);
  expect(await stockOf(sql, strainId)).toBe(6);
});

it('refuses the order of another holder', async () => {
  const { order, strainId } = await placeOrder();
  const reply = await stranger.ask('PATCH', `/dapp/orders/${order.id}`, { body });
  expect([reply.status, reply.envelope.code]).toEqual([403, 'NOT_OWNED']);
  expect(await stockOf(sql, strainId)).toBe(6);
});

it('sets no other status', async () => {
  const { order } = await placeOrder();
  const reply = await holder.ask('PATCH', `/dapp/orders/${order.id}`, { body: { orderStatus: 'DELIVERED' } });
  expect([reply.status, reply.envelope.data]).toEqual([
    400,
    ['orderStatus must be one of the following values: CANCELLED'],
  ]);
});
