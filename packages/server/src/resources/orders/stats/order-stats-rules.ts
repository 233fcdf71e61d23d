import {
  approvals,
  type OrderChart,
  type OrderChartQuery,
  type OrderSummary,
  orderStatuses,
  paymentStatuses,
} from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/scope.ts';
import { formatCents, readCents } from '../../../money.ts';
import { readChartRange } from './chart-range.ts';
import { foldSomeTallies, listChartPoints, listOrderTotals, type OrderTally } from './order-stats-queries.ts';

const noRevenue = '0.00';

/** Orders and revenue of each interval, also of those in which there was nothing. */
export async function getOrderChart(
  database: Database,
  scope: HolderScope,
  query: OrderChartQuery,
  now: Date,
): Promise<OrderChart> {
  const { dates, ...range } = readChartRange(query, now);
  const found = await listChartPoints(database, scope, range, query.currency ?? null);
  const byDate = new Map(found.map((point) => [point.date, point]));
  return {
    ...range,
    currency: found[0]?.currency ?? null,
    points: dates.map((date) => {
      const { orders = 0, revenue = noRevenue } = byDate.get(date) ?? {};
      return { date, orders, revenue };
    }),
  };
}

/** What there is of a store, counted. What was cancelled brings nothing in. */
export async function getOrderSummary(database: Database, scope: HolderScope): Promise<OrderSummary> {
  const tallies = await listOrderTotals(database, scope);
  const standing = tallies.filter(({ orderStatus }) => orderStatus !== 'CANCELLED');
  const currencies = [...new Set(tallies.map(({ currency }) => currency))];
  return {
    total: sumOf(tallies, 'orders'),
    totalQuantity: sumOf(standing, 'quantity'),
    revenue: currencies.map((currency) => ({
      currency,
      amount: formatCents(
        standing
          .filter((tally) => tally.currency === currency)
          .reduce((sum, { amount }) => sum + readCents(amount), 0n),
      ),
    })),
    orderStatus: countBy(tallies, 'orderStatus', orderStatuses),
    paymentStatus: countBy(tallies, 'paymentStatus', paymentStatuses),
    adminApproval: countBy(tallies, 'adminApproval', approvals),
  };
}

/** Folds what orders left for the tallies, until nothing is left or it should come to an end. */
export async function foldOrderTallies(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await foldSomeTallies(database)) > 0);
}

function sumOf(tallies: readonly OrderTally[], field: 'orders' | 'quantity'): number {
  return tallies.reduce((sum, tally) => sum + tally[field], 0);
}

function countBy<Field extends 'orderStatus' | 'paymentStatus' | 'adminApproval'>(
  tallies: readonly OrderTally[],
  field: Field,
  values: readonly OrderTally[Field][],
): Record<OrderTally[Field], number> {
  const counts = values.map((value) => [
    value,
    sumOf(
      tallies.filter((tally) => tally[field] === value),
      'orders',
    ),
  ]);
  return Object.fromEntries(counts) as Record<OrderTally[Field], number>;
}
