import { defineOperations } from '../operation.ts';
import { DashboardAnalytics, DashboardAnalyticsQuery, DashboardSummary } from '../schemas/dashboard.ts';
import { clientOperations } from './clients.ts';
import { orderOperations } from './orders.ts';
import { saleOperations } from './sales.ts';

export const dashboardOperations = defineOperations({
  getDashboardSummary: {
    method: 'GET',
    path: '/dapp/dashboard/summary',
    access: 'credential',
    tag: 'Dashboard',
    sdk: 'dashboard.summary',
    summary: 'Dashboard summary',
    description: 'The summaries of clients, orders and sales of the digital key in one response.',
    status: 200,
    retry: 'safe',
    response: DashboardSummary,
    errors: ['HOLDER_REQUIRED'],
    // At the same time.
    roundTrips: 3,
    example: {
      response: {
        clients: clientOperations.getClientSummary.example.response,
        orders: orderOperations.getOrderSummary.example.response,
        sales: saleOperations.getSaleSummary.example.response,
      },
    },
  },

  getDashboardAnalytics: {
    method: 'GET',
    path: '/dapp/dashboard/analytics',
    access: 'credential',
    tag: 'Dashboard',
    sdk: 'dashboard.analytics',
    summary: 'Dashboard analytics',
    description:
      'New clients, orders and revenue for each interval, including zeros. The default is the last 30 days by day. Days are ' +
      'in UTC, weeks start on Monday. Orders of every currency are counted; the revenue is in `currency`. A cancelled order counts as an order ' +
      'without revenue, and an archived client as a client.',
    status: 200,
    retry: 'safe',
    query: DashboardAnalyticsQuery,
    response: DashboardAnalytics,
    errors: ['HOLDER_REQUIRED'],
    // At the same time.
    roundTrips: 2,
    example: {
      query: { startDate: '2026-11-14', endDate: '2026-11-15', filterBy: 'day', orderBy: 'desc' },
      response: {
        filterBy: 'day',
        startDate: '2026-11-14',
        endDate: '2026-11-15',
        currency: 'EUR',
        analytics: [
          { date: '2026-11-15', clients: 2, orders: 1, revenue: 75, paidRevenue: 75 },
          { date: '2026-11-14', clients: 0, orders: 0, revenue: 0, paidRevenue: 0 },
        ],
      },
    },
  },
});
