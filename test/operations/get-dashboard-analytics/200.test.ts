import type { DashboardAnalytics } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sql } = await openStorefront();
const { tokenId } = holder;
const read = async (query: Record<string, string>) =>
  dataOf<DashboardAnalytics>(
    await holder.ask('GET', `/dapp/dashboard/analytics?${new URLSearchParams(query)}`),
  );

const insertClientAt = async (token: number, createdAt: string) => {
  const { id } = await insertClient(sql, token);
  await sql('UPDATE clients SET created_at = $2 WHERE id = $1', [id, createdAt]);
  return id;
};
const clientId = await insertClientAt(tokenId, '2028-01-31T23:59:59.999Z');
await insertClientAt(tokenId, '2028-02-01T00:00:00.000Z');
await insertClientAt(tokenId, '2028-02-02T12:00:00.000Z');
await insertClientAt(tokenId, '2028-02-03T00:00:00.000Z');
await insertClientAt(stranger.tokenId, '2028-02-01T12:00:00.000Z');
await insertOrder(sql, tokenId, clientId, { totalAmount: 0.1, createdAt: '2028-02-01T10:00:00.000Z' });
await insertOrder(sql, tokenId, clientId, { totalAmount: 0.2, createdAt: '2028-02-01T11:00:00.000Z' });

const first = { date: '2028-02-01', clients: 1, orders: 2, revenue: 0.3, paidRevenue: 0 };
const second = { date: '2028-02-02', clients: 1, orders: 0, revenue: 0, paidRevenue: 0 };
const range = { startDate: '2028-02-01', endDate: '2028-02-02' };

it('counts new clients, orders and revenue of each day, the oldest first', async () => {
  const expected = { filterBy: 'day', ...range, currency: 'EUR', analytics: [first, second] };
  expect(await read(range)).toEqual(expected);
  expect(await read({ ...range, orderBy: 'asc', filterBy: 'day' })).toEqual(expected);
});

it('puts the newest first', async () => {
  expect((await read({ ...range, orderBy: 'desc' })).analytics).toEqual([second, first]);
});

it('counts by week and by month', async () => {
  const months = { startDate: '2028-01-31', endDate: '2028-02-29', filterBy: 'month' };
  expect((await read(months)).analytics).toEqual([
    { date: '2028-01-01', clients: 1, orders: 0, revenue: 0, paidRevenue: 0 },
    { date: '2028-02-01', clients: 3, orders: 2, revenue: 0.3, paidRevenue: 0 },
  ]);
  // The first of February 2028 is a Tuesday.
  expect((await read({ ...range, filterBy: 'week' })).analytics).toEqual([
    { date: '2028-01-31', clients: 2, orders: 2, revenue: 0.3, paidRevenue: 0 },
  ]);
});

it('covers the last 30 days by default', async () => {
  const { analytics, endDate } = dataOf<DashboardAnalytics>(
    await holder.ask('GET', '/dapp/dashboard/analytics'),
  );
  expect(analytics).toHaveLength(30);
  expect(analytics.at(-1)?.date).toBe(endDate);
});

it('counts the orders of every currency, and the revenue of the one that is asked for', async () => {
  const createdAt = '2028-03-01T10:00:00.000Z';
  const dollars = { currency: 'USD', createdAt } as const;
  await insertOrder(sql, tokenId, clientId, { totalAmount: 5, createdAt });
  await insertOrder(sql, tokenId, clientId, { ...dollars, totalAmount: 7, paymentStatus: 'PAID' });
  await insertOrder(sql, tokenId, clientId, { ...dollars, totalAmount: 9 });
  await insertOrder(sql, tokenId, clientId, {
    ...dollars,
    totalAmount: 11,
    paymentStatus: 'PAID',
    orderStatus: 'CANCELLED',
  });
  const day = { startDate: '2028-03-01', endDate: '2028-03-01' };
  const point = { date: '2028-03-01', clients: 0, orders: 4 };
  expect(await read(day)).toMatchObject({
    currency: 'EUR',
    analytics: [{ ...point, revenue: 5, paidRevenue: 0 }],
  });
  expect(await read({ ...day, currency: 'USD' })).toMatchObject({
    currency: 'USD',
    analytics: [{ ...point, revenue: 16, paidRevenue: 7 }],
  });
  expect(await read({ ...day, currency: 'GBP' })).toMatchObject({
    currency: 'GBP',
    analytics: [{ ...point, revenue: 0, paidRevenue: 0 }],
  });
});
