import {
  NewOrder,
  OrderChart,
  OrderChartQuery,
  OrderExportFileQuery,
  OrderExportQuery,
  OrderHistory,
  OrderListQuery,
  OrderPage,
  OrderPath,
  OrderSummary,
  OrderWithLines,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { placeOrder } from './checkout/checkout-rules.ts';
import { orderExample, orderWithLinesExample, pageMetaExample } from './examples.ts';
import { exportCsv, getOrderPage } from './listing/list-orders.ts';
import { getOrder, getOrderHistory } from './order-rules.ts';
import { getOrderChart, getOrderSummary } from './stats/order-stats-rules.ts';

const pageExample = { orders: [orderExample], pageMetaDto: pageMetaExample };

export function addOrderRoutes(router: Router, database: Database, catalogue: CatalogueCache): void {
  router.add(
    {
      method: 'POST',
      path: '/dapp/orders',
      access: 'credential',
      id: 'createOrder',
      tag: 'Orders',
      summary: 'Place an order',
      description:
        'Turns the cart of the client into an order: takes the stock at the prices of this moment and empties the ' +
        'cart, all or nothing. The client must be active, verified by KYC and approved. Send an `Idempotency-Key`, and ' +
        'a repetition after a broken connection gives the same order.',
      status: 201,
      body: NewOrder,
      answer: OrderWithLines,
      errors: ['NOT_FOUND'],
      example: orderWithLinesExample,
    },
    ({ scope, body, run }) => placeOrder(run, database, requireHolder(scope), body.clientId),
    { after: () => catalogue.forgetStock() },
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/orders',
      access: 'credential',
      id: 'listOrders',
      tag: 'Orders',
      summary: 'List orders',
      description: 'The newest first, all of them or what matches the filters.',
      query: OrderListQuery,
      answer: OrderPage,
      example: pageExample,
    },
    ({ scope, query }) => getOrderPage(database, requireHolder(scope), query),
  );

  router.add(
    {
      method: 'GET',
      path: '/orders/export',
      access: 'credential',
      id: 'exportOrders',
      tag: 'Orders',
      summary: 'Export orders',
      description:
        'The eight parameters without a default must be there; an empty one filters nothing. For an administrator the ' +
        'export covers the whole platform. With `Accept: text/csv` all that matches comes as one file, without pages.',
      query: OrderExportQuery,
      file: {
        contentType: 'text/csv',
        description: 'All that matches, as CSV (RFC 4180)',
        query: OrderExportFileQuery,
      },
      answer: OrderPage,
      errors: ['NOT_FOUND'],
      example: pageExample,
    },
    ({ scope, query }) => getOrderPage(database, scope, query),
    { file: ({ scope, query }) => exportCsv(database, scope, query, new Date()) },
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/orders/summary',
      access: 'credential',
      id: 'getOrderSummary',
      tag: 'Orders',
      summary: 'Count orders',
      description: 'How many there are of each status, and what they come to.',
      answer: OrderSummary,
      example: {
        total: 3,
        totalQuantity: 11,
        revenue: [{ currency: 'EUR', amount: '137.50' }],
        orderStatus: { PENDING: 1, PROCESSING: 0, SHIPPED: 0, DELIVERED: 1, CANCELLED: 1 },
        paymentStatus: { PENDING: 1, PROCESSING: 0, COMPLETED: 1, FAILED: 1, REFUNDED: 0 },
        adminApproval: { PENDING: 2, VERIFIED: 1, REJECTED: 0 },
      },
    },
    ({ scope }) => getOrderSummary(database, requireHolder(scope)),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/orders/chart-data',
      access: 'credential',
      id: 'getOrderChart',
      tag: 'Orders',
      summary: 'Chart of orders',
      description:
        'Orders and revenue of each interval, zeros included: the last 30 days by day when nothing is asked. Days are ' +
        'those of UTC, weeks begin on Monday. What was cancelled counts as an order and brings in nothing.',
      query: OrderChartQuery,
      answer: OrderChart,
      example: {
        interval: 'day',
        startDate: '2026-11-14',
        endDate: '2026-11-15',
        currency: 'EUR',
        points: [
          { date: '2026-11-14', orders: 0, revenue: '0.00' },
          { date: '2026-11-15', orders: 1, revenue: '75.00' },
        ],
      },
    },
    ({ scope, query }) => getOrderChart(database, requireHolder(scope), query, new Date()),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/orders/:orderId',
      access: 'credential',
      id: 'getOrder',
      tag: 'Orders',
      summary: 'Read an order',
      parameters: OrderPath,
      answer: OrderWithLines,
      example: orderWithLinesExample,
    },
    ({ scope, parameters }) => getOrder(database, requireHolder(scope), parameters.orderId),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/orders/:orderId/history',
      access: 'credential',
      id: 'getOrderHistory',
      tag: 'Orders',
      summary: 'Read the history of an order',
      description: 'Every state it was in, the first one first.',
      parameters: OrderPath,
      answer: OrderHistory,
      example: {
        history: [
          {
            orderStatus: 'PENDING',
            paymentStatus: 'PENDING',
            adminApproval: 'PENDING',
            rejectionNote: null,
            changedAt: '2026-11-15T09:30:00.000Z',
            author: 'HOLDER',
          },
        ],
      },
    },
    ({ scope, parameters }) => getOrderHistory(database, requireHolder(scope), parameters.orderId),
  );
}
