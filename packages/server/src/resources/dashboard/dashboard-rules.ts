import type { DashboardAnalytics, DashboardAnalyticsQuery, DashboardSummary } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { getClientSummary } from '../clients/client-counts.ts';
import { readChartRange } from '../orders/stats/chart-range.ts';
import { getOrderPoints, getOrderSummary } from '../orders/stats/order-stats-rules.ts';
import { getSaleSummary } from '../sales/sale-rules.ts';
import { countNewClients } from './dashboard-queries.ts';

/** Gets the summaries of clients, orders and sales. */
export async function getDashboardSummary(database: Database, scope: HolderScope): Promise<DashboardSummary> {
  const [clients, orders, sales] = await Promise.all([
    getClientSummary(database, scope),
    getOrderSummary(database, scope),
    getSaleSummary(database, scope),
  ]);
  return { clients, orders, sales };
}

/** Gets new clients, orders and revenue of each interval, including empty intervals. */
export async function getDashboardAnalytics(
  database: Database,
  scope: HolderScope,
  { filterBy, orderBy, startDate, endDate, currency: wanted }: DashboardAnalyticsQuery,
  now: Date,
): Promise<DashboardAnalytics> {
  const query = {
    ...(startDate !== undefined && { startDate }),
    ...(endDate !== undefined && { endDate }),
    ...(filterBy !== undefined && { interval: filterBy }),
    ...(wanted !== undefined && { currency: wanted }),
  };
  const range = readChartRange(query, now);
  const [{ points, currency }, counts] = await Promise.all([
    getOrderPoints(database, scope, query, now),
    countNewClients(database, scope, range),
  ]);
  const clientsByDate = new Map(counts.map(({ date, clients }) => [date, clients]));
  const analytics = points.map(({ date, allOrders: orders, revenue, paidRevenue }) => ({
    date,
    clients: clientsByDate.get(date) ?? 0,
    orders,
    revenue,
    paidRevenue,
  }));
  return {
    filterBy: range.interval,
    startDate: range.startDate,
    endDate: range.endDate,
    currency,
    analytics: orderBy === 'desc' ? analytics.reverse() : analytics,
  };
}
