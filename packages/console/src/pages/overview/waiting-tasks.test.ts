import type { DashboardSummary } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { listWaitingTasks } from './waiting-tasks.ts';

const summary = {
  clients: { total: 5, kycVerified: 5 },
  orders: { paymentStatus: { PENDING: 7, FAILED: 2 } },
} as DashboardSummary;

it('does not count cancelled orders', () => {
  const counts = (unpaid: number, failed: number) =>
    listWaitingTasks(summary, { unpaid, failed }).map(({ count, search }) => [search.paymentStatus, count]);
  expect(counts(0, 0)).toEqual([
    ['FAILED', 2],
    ['PENDING', 7],
  ]);
  expect(counts(3, 2)).toEqual([['PENDING', 4]]);
});
