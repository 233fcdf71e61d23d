import type { OrderSummary, OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, stranger, sibling, admin, sql } = await openStorefront();

const summaryOf = async (caller: Pick<typeof holder, 'ask'>) =>
  dataOf<OrderSummary>(await caller.ask('GET', '/dapp/orders/summary'));
const fold = () => compactOrderCounters(service.database, new AbortController().signal);

const nothing: OrderSummary = {
  total: 0,
  totalQuantity: 0,
  revenue: [],
  paidRevenue: [],
  orderStatus: { PENDING: 0, PROCESSING: 0, SHIPPED: 0, DELIVERED: 0, CANCELLED: 0 },
  paymentStatus: { PENDING: 0, PROCESSING: 0, PAID: 0, FAILED: 0, REFUNDED: 0 },
  adminApproval: { PENDING: 0, VERIFIED: 0, REJECTED: 0 },
};

it('is all zeros for a store without an order', async () => {
  expect(await summaryOf(stranger)).toEqual(nothing);
});

it('counts every state and adds up what is not cancelled, by currency, before and after compaction', async () => {
  const { tokenId } = holder;
  const { id: clientId } = await insertClient(sql, tokenId);
  const worked = { adminApproval: 'VERIFIED' } as const;
  const orders: Parameters<typeof insertOrder>[3][] = [
    { totalAmount: 0.01, totalQuantity: 1 },
    {
      ...worked,
      orderStatus: 'PROCESSING',
      paymentStatus: 'PROCESSING',
      totalAmount: 100,
      totalQuantity: 2,
    },
    {
      ...worked,
      orderStatus: 'SHIPPED',
      paymentStatus: 'PAID',
      totalAmount: 999_999_999_999.99,
      totalQuantity: 3,
    },
    { ...worked, orderStatus: 'DELIVERED', paymentStatus: 'PAID', totalAmount: 7.5, currency: 'USD' },
    {
      orderStatus: 'CANCELLED',
      adminApproval: 'REJECTED',
      paymentStatus: 'FAILED',
      totalAmount: 5,
      totalQuantity: 50,
    },
    {
      orderStatus: 'CANCELLED',
      paymentStatus: 'REFUNDED',
      totalAmount: 8,
      currency: 'GBP',
      totalQuantity: 60,
    },
  ];
  for (const order of orders) await insertOrder(sql, tokenId, clientId, order);
  const expected: OrderSummary = {
    total: 6,
    totalQuantity: 7,
    revenue: [
      { currency: 'EUR', amount: 1_000_000_000_100 },
      { currency: 'GBP', amount: 0 },
      { currency: 'USD', amount: 7.5 },
    ],
    paidRevenue: [
      { currency: 'EUR', amount: 999_999_999_999.99 },
      { currency: 'GBP', amount: 0 },
      { currency: 'USD', amount: 7.5 },
    ],
    orderStatus: { PENDING: 1, PROCESSING: 1, SHIPPED: 1, DELIVERED: 1, CANCELLED: 2 },
    paymentStatus: { PENDING: 1, PROCESSING: 1, PAID: 2, FAILED: 1, REFUNDED: 1 },
    adminApproval: { PENDING: 2, VERIFIED: 3, REJECTED: 1 },
  };
  expect(await summaryOf(holder)).toEqual(expected);
  await fold();
  expect(await summaryOf(holder.signedIn)).toEqual(expected);
});

it('follows an order through its states, before and after compaction', async () => {
  const { tokenId } = sibling;
  const { id: clientId } = await insertClient(sql, tokenId);
  const id = await insertOrder(sql, tokenId, clientId, { totalAmount: 30, totalQuantity: 3 });
  const inEuro = (amount: number) => [{ currency: 'EUR', amount }];
  const standing = { total: 1, totalQuantity: 3, revenue: inEuro(30), paidRevenue: inEuro(0) };
  const placed: OrderSummary = {
    ...nothing,
    ...standing,
    orderStatus: { ...nothing.orderStatus, PENDING: 1 },
    paymentStatus: { ...nothing.paymentStatus, PENDING: 1 },
    adminApproval: { ...nothing.adminApproval, PENDING: 1 },
  };
  expect(await summaryOf(sibling)).toEqual(placed);
  await fold();
  const move = async (body: object) =>
    dataOf<OrderWithLines>(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));
  await move({ adminApproval: 'VERIFIED', orderStatus: 'PROCESSING', paymentStatus: 'PAID' });
  const worked: OrderSummary = {
    ...placed,
    paidRevenue: inEuro(30),
    orderStatus: { ...nothing.orderStatus, PROCESSING: 1 },
    paymentStatus: { ...nothing.paymentStatus, PAID: 1 },
    adminApproval: { ...nothing.adminApproval, VERIFIED: 1 },
  };
  expect(await summaryOf(sibling)).toEqual(worked);
  await move({ orderStatus: 'CANCELLED' });
  const cancelled: OrderSummary = {
    ...worked,
    totalQuantity: 0,
    revenue: inEuro(0),
    paidRevenue: inEuro(0),
    orderStatus: { ...nothing.orderStatus, CANCELLED: 1 },
  };
  expect(await summaryOf(sibling)).toEqual(cancelled);
  await fold();
  expect(await summaryOf(sibling)).toEqual(cancelled);
});

it('excludes other holders and other digital keys of the holder', async () => {
  const before = [await summaryOf(holder), await summaryOf(stranger), await summaryOf(sibling)];
  const { id: clientId } = await insertClient(sql, stranger.tokenId);
  await insertOrder(sql, stranger.tokenId, clientId, { totalAmount: 77.77, currency: 'CHF' });
  expect([await summaryOf(holder), await summaryOf(sibling)]).toEqual([before[0], before[2]]);
  expect(await summaryOf(stranger)).toMatchObject({
    total: 1,
    revenue: [{ currency: 'CHF', amount: 77.77 }],
  });
});
