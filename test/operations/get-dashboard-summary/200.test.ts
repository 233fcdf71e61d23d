import type { DashboardSummary } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sql } = await openStorefront();

it('returns the summaries of clients, orders and sales of the digital key', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  await insertOrder(sql, holder.tokenId, clientId, { totalAmount: 12.5 });
  const { id: foreignId } = await insertClient(sql, stranger.tokenId);
  await insertOrder(sql, stranger.tokenId, foreignId);
  const summary = dataOf<DashboardSummary>(await holder.ask('GET', '/dapp/dashboard/summary'));
  expect(summary).toEqual({
    clients: dataOf(await holder.ask('GET', '/dapp/clients/summary')),
    orders: dataOf(await holder.ask('GET', '/dapp/orders/summary')),
    sales: dataOf(await holder.ask('GET', '/dapp/sales/summary')),
  });
  expect([summary.clients.total, summary.orders.total]).toEqual([1, 1]);
  expect(summary.orders.revenue).toEqual([{ currency: 'EUR', amount: 12.5 }]);
});
