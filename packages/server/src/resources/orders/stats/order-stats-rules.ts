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
  const { points, ...chart } = await getOrderPoints(database, scope, query, now);
  return { ...chart, points: points.map(({ date, orders, revenue }) => ({ date, orders, revenue })) };
}

/** The same with orders of every currency, and what of the revenue is paid. */
export async function getOrderPoints(
  database: Database,
  scope: HolderScope,
  query: OrderChartQuery,
  now: Date,
) {
  const { dates, ...range } = readChartRange(query, now);
  const found = await listChartPoints(database, scope, range, query.currency ?? null);
  const byDate = new Map(found.map((point) => [point.date, point]));
  return {
    ...range,
    currency: found[0]?.currency ?? null,
    points: dates.map((date) => {
      const { orders = 0, allOrders = 0, revenue = 0, paidRevenue = 0 } = byDate.get(date) ?? {};
      return { date, orders, allOrders, revenue, paidRevenue };
    }),
  };
}

/** Gets the totals of a store. Cancelled orders add no revenue. */
export async function getOrderSummary(database: Database, scope: HolderScope): Promise<OrderSummary> {
  const counts = await listOrderTotals(database, scope);
  const notCancelled = counts.filter(({ orderStatus }) => orderStatus !== 'CANCELLED');
  const paid = notCancelled.filter(({ paymentStatus }) => paymentStatus === 'PAID');
  const currencies = [...new Set(counts.map(({ currency }) => currency))];
  return {
    total: sumField(counts, 'orders'),
    totalQuantity: sumField(notCancelled, 'quantity'),
    revenue: currencies.map((currency) => ({ currency, amount: sumAmount(notCancelled, currency) })),
    paidRevenue: currencies.map((currency) => ({ currency, amount: sumAmount(paid, currency) })),
    orderStatus: countBy(counts, 'orderStatus', orderStatuses),
    paymentStatus: countBy(counts, 'paymentStatus', paymentStatuses),
    adminApproval: countBy(counts, 'adminApproval', approvals),
  };
}

function sumAmount(counts: readonly OrderCount[], currency: string): number {
  return toAmount(
    counts
      .filter((count) => count.currency === currency)
      .reduce((sum, { amount }) => sum + toCents(amount), 0n),
  );
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
