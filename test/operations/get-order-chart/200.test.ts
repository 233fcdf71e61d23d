import type { OrderChart, OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { insertOrder, insertReadyClient } from '../../support/order-data.ts';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, stranger, sibling, admin, sql } = await openStorefront();

const chart = async (query: Record<string, string> = {}, caller: TestCaller = holder) => {
  const text = new URLSearchParams(query).toString();
  return dataOf<OrderChart>(await caller.ask('GET', `/dapp/orders/chart-data${text && `?${text}`}`));
};
const fold = () => compactOrderCounters(service.database, new AbortController().signal);
const today = () => new Date().toISOString().slice(0, 10);
const point = (date: string, orders = 0, revenue = 0) => ({ date, orders, revenue });
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

// The first of January 2028 is a Saturday, and the year has a leap day.
const { id: clientId } = await insertClient(sql, holder.tokenId);
const placed: [createdAt: string, totalAmount: number, currency: string, orderStatus?: 'CANCELLED'][] = [
  ['2027-12-31T23:59:59.999Z', 10, 'EUR'],
  ['2028-01-01T00:00:00.000Z', 20, 'EUR'],
  ['2028-01-01T00:00:00.000Z', 100, 'USD'],
  ['2028-01-02T12:00:00.000Z', 5, 'EUR', 'CANCELLED'],
  ['2028-01-03T00:00:00.000Z', 1, 'EUR'],
  ['2028-02-29T12:00:00.000Z', 29, 'EUR'],
  ['2028-02-29T13:00:00.000Z', 0.99, 'EUR'],
  ['2028-02-29T14:00:00.000Z', 7, 'USD'],
  ['2028-03-01T00:00:00.000Z', 0.01, 'EUR'],
];
for (const [createdAt, totalAmount, currency, orderStatus = 'PENDING'] of placed) {
  await insertOrder(sql, holder.tokenId, clientId, { createdAt, totalAmount, currency, orderStatus });
}

/** The expected charts of the store above, before and after compaction. */
async function expectCharts(): Promise<void> {
  const overNewYear = { startDate: '2027-12-30', endDate: '2028-01-03' };
  expect(await chart(overNewYear)).toEqual({
    interval: 'day',
    ...overNewYear,
    currency: 'EUR',
    points: [
      point('2027-12-30'),
      point('2027-12-31', 1, 10),
      point('2028-01-01', 1, 20),
      // Cancelled: counted, and brings nothing in.
      point('2028-01-02', 1, 0),
      point('2028-01-03', 1, 1),
    ],
  });
  expect(await chart({ ...overNewYear, interval: 'week' })).toEqual({
    interval: 'week',
    ...overNewYear,
    currency: 'EUR',
    points: [point('2027-12-27', 3, 30), point('2028-01-03', 1, 1)],
  });
  expect(await chart({ startDate: '2027-12-31', endDate: '2028-03-01', interval: 'month' })).toEqual({
    interval: 'month',
    startDate: '2027-12-31',
    endDate: '2028-03-01',
    currency: 'EUR',
    points: [
      point('2027-12-01', 1, 10),
      point('2028-01-01', 3, 21),
      point('2028-02-01', 2, 29.99),
      point('2028-03-01', 1, 0.01),
    ],
  });
  // Of the first and the last interval only the days that were asked for.
  expect((await chart({ startDate: '2028-01-02', endDate: '2028-02-28', interval: 'month' })).points).toEqual(
    [point('2028-01-01', 2, 1), point('2028-02-01')],
  );
  expect((await chart({ startDate: '2028-02-28', endDate: '2028-03-01' })).points).toEqual([
    point('2028-02-28'),
    point('2028-02-29', 2, 29.99),
    point('2028-03-01', 1, 0.01),
  ]);
  expect(await chart({ startDate: '2028-02-29', endDate: '2028-02-29', currency: 'USD' })).toEqual({
    interval: 'day',
    startDate: '2028-02-29',
    endDate: '2028-02-29',
    currency: 'USD',
    points: [point('2028-02-29', 1, 7)],
  });
}

it('has orders and revenue of each day, week and month, zeros included, before and after compaction', async () => {
  await expectCharts();
  await fold();
  await expectCharts();
});

describe('the range', () => {
  it('is the last thirty days by day, up to today, when nothing is asked for', async () => {
    for (const query of [{}, { startDate: '', endDate: '', interval: '', currency: '' }]) {
      const before = today();
      const { interval, startDate, endDate, points } = await chart(query, stranger);
      expect([before, today()]).toContain(endDate);
      expect(interval).toBe('day');
      expect(points).toHaveLength(30);
      expect(points[0]?.date).toBe(startDate);
      expect(points.at(-1)?.date).toBe(endDate);
      for (const [at, { date }] of points.entries()) {
        if (at > 0) expect(date).toBe(dayAfter(points[at - 1]?.date ?? ''));
      }
    }
  });

  it('takes date-times as their day in UTC', async () => {
    const query = { startDate: '2028-01-01T00:30:00+01:00', endDate: '2027-12-31T23:30:00-01:00' };
    expect(await chart(query)).toMatchObject({
      startDate: '2027-12-31',
      endDate: '2028-01-01',
      points: [point('2027-12-31', 1, 10), point('2028-01-01', 1, 20)],
    });
  });

  it('may have a thousand points, and begin with the first day there is', async () => {
    const long = await chart({ startDate: '2026-01-01', endDate: '2028-09-26' });
    expect(long.points).toHaveLength(1000);
    expect(long.points.reduce((sum, { orders }) => sum + orders, 0)).toBe(7);
    expect((await chart({ endDate: '0001-01-02' })).points).toEqual([
      point('0001-01-01'),
      point('0001-01-02'),
    ]);
    expect(
      (await chart({ startDate: '9999-12-31', endDate: '9999-12-31', interval: 'week' })).points,
    ).toEqual([point('9999-12-27')]);
  });
});

describe('the currency', () => {
  it('is none in a store without an order, and what was asked for even there', async () => {
    expect((await chart({}, stranger)).currency).toBeNull();
    expect((await chart({ currency: 'GBP' }, stranger)).currency).toBe('GBP');
  });

  it('is the one that most orders are in, also outside of the range', async () => {
    const query = { startDate: '2030-01-01', endDate: '2030-01-01' };
    expect(await chart(query)).toMatchObject({ currency: 'EUR', points: [point('2030-01-01')] });
  });

  it('is the one that was asked for, with its orders alone', async () => {
    const query = { startDate: '2027-12-31', endDate: '2028-02-29', interval: 'month' };
    expect((await chart({ ...query, currency: 'USD' })).points).toEqual([
      point('2027-12-01'),
      point('2028-01-01', 1, 100),
      point('2028-02-01', 1, 7),
    ]);
    expect(await chart({ ...query, currency: 'GBP' })).toMatchObject({
      currency: 'GBP',
      points: [point('2027-12-01'), point('2028-01-01'), point('2028-02-01')],
    });
  });
});

it('follows an order from the moment it is placed, through its cancellation', async () => {
  const { holder: other } = await openStorefront();
  const ready = await insertReadyClient(sql, other.tokenId, { quantity: 3 });
  const order = dataOf<OrderWithLines>(
    await other.ask('POST', '/dapp/orders', { body: { clientId: ready.clientId } }),
  );
  const day = order.createdAt.slice(0, 10);
  const query = { startDate: day, endDate: day };
  expect(await chart(query, other)).toMatchObject({ currency: 'EUR', points: [point(day, 1, 30)] });
  await fold();
  expect((await chart(query, other.signedIn)).points).toEqual([point(day, 1, 30)]);
  dataOf(await admin.ask('PATCH', `/admin/orders/${order.id}`, { body: { orderStatus: 'CANCELLED' } }));
  expect((await chart(query, other)).points).toEqual([point(day, 1, 0)]);
  await fold();
  expect((await chart(query, other)).points).toEqual([point(day, 1, 0)]);
});

it('excludes other holders and other digital keys of the holder', async () => {
  const query = { startDate: '2029-05-05', endDate: '2029-05-05' };
  for (const { tokenId } of [sibling, stranger]) {
    const client = await insertClient(sql, tokenId);
    await insertOrder(sql, tokenId, client.id, {
      createdAt: '2029-05-05T00:00:00.000Z',
      totalAmount: 3,
      currency: 'CHF',
    });
  }
  for (let round = 0; round < 2; round++) {
    expect((await chart({ ...query, currency: 'CHF' })).points).toEqual([point('2029-05-05')]);
    expect(await chart(query, sibling)).toMatchObject({
      currency: 'CHF',
      points: [point('2029-05-05', 1, 3)],
    });
    await fold();
  }
});
