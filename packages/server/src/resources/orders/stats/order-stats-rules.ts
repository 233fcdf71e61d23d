import {
  approvals,
  type OrderChart,
  type OrderChartQuery,
  type OrderSummary,
  orderStatuses,
  paymentStatuses,
} from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import { toAmount, toCents } from '../../../lib/amounts.ts';
import { readChartRange } from './chart-range.ts';
import { listChartPoints, listOrderTotals, type OrderCount } from './order-stats-queries.ts';

/** Gets orders and revenue of each interval, including empty intervals. */
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
      const { orders = 0, revenue = 0 } = byDate.get(date) ?? {};
      return { date, orders, revenue };
    }),
  };
}

/** Gets the totals of a store. Cancelled orders add no revenue. */
export async function getOrderSummary(database: Database, scope: HolderScope): Promise<OrderSummary> {
  const counts = await listOrderTotals(database, scope);
  const notCancelled = counts.filter(({ orderStatus }) => orderStatus !== 'CANCELLED');
  const currencies = [...new Set(counts.map(({ currency }) => currency))];
  return {
    total: sumField(counts, 'orders'),
    totalQuantity: sumField(notCancelled, 'quantity'),
    revenue: currencies.map((currency) => ({
      currency,
      amount: toAmount(
        notCancelled
          .filter((count) => count.currency === currency)
          .reduce((sum, { amount }) => sum + toCents(amount), 0n),
      ),
    })),
    orderStatus: countBy(counts, 'orderStatus', orderStatuses),
    paymentStatus: countBy(counts, 'paymentStatus', paymentStatuses),
    adminApproval: countBy(counts, 'adminApproval', approvals),
  };
}

function sumField(counts: readonly OrderCount[], field: 'orders' | 'quantity'): number {
  return counts.reduce((sum, count) => sum + count[field], 0);
}

function countBy<Field extends 'orderStatus' | 'paymentStatus' | 'adminApproval'>(
  counts: readonly OrderCount[],
  field: Field,
  values: readonly OrderCount[Field][],
): Record<OrderCount[Field], number> {
  const entries = values.map((value) => [
    value,
    sumField(
      counts.filter((count) => count[field] === value),
      'orders',
    ),
  ]);
  return Object.fromEntries(entries) as Record<OrderCount[Field], number>;
}
