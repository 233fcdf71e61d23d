import type { DashboardSummary } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { listWaitingTasks } from './waiting-tasks.ts';

const summary = {
  clients: { total: 5, kycVerified: 5 },
  orders: { paymentStatus: { PENDING: 7, FAILED: 2 } },
} as DashboardSummary;

it('does not count cancelled orders', () => {
  const counts = (unpaid: number, failed: number) =>
    listWaitingTasks(summary, { unpaid, failed }, 0).map(({ count, search }) => [
      search.paymentStatus,
      count,
    ]);
  expect(counts(0, 0)).toEqual([
    ['FAILED', 2],
    ['PENDING', 7],
  ]);
  expect(counts(3, 2)).toEqual([['PENDING', 4]]);
});

it('speaks of one order in the singular', () => {
  const labels = (unpaid: number, failed: number) =>
    listWaitingTasks(summary, { unpaid, failed }, 0).map(({ count, label }) => `${count} ${label}`);
  expect(labels(6, 1)).toEqual(['1 payment of an open order has failed', '1 open order is not paid']);
  expect(labels(5, 0)).toEqual(['2 payments of open orders have failed', '2 open orders are not paid']);
});

it('begins with what is to be refunded', () => {
  const [first] = listWaitingTasks(summary, { unpaid: 0, failed: 0 }, 2);
  expect(first).toMatchObject({ count: 2, to: '/orders', search: { refundDue: 'true' } });
});
