import {
  AdminOrderChange,
  AdminOrderListQuery,
  AdminOrderPage,
  OrderPath,
  OrderWithLines,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { orderExample, orderWithLinesExample, pageMetaExample } from './examples.ts';
import { getAdminOrderPage } from './listing/list-orders.ts';
import { changeOrder } from './state/change-order.ts';

export function addAdminOrderRoutes(router: Router, database: Database, catalogue: CatalogueCache): void {
  router.add(
    {
      method: 'GET',
      path: '/admin/orders',
      access: 'administrator',
      id: 'listAdminOrders',
      tag: 'Administration',
      summary: 'List the orders of the platform',
      description:
        'The newest first, of all digital keys or of one, all of them or what matches the filters.',
      query: AdminOrderListQuery,
      answer: AdminOrderPage,
      example: { orders: [{ ...orderExample, rejectionNote: null }], pageMetaDto: pageMetaExample },
    },
    ({ scope, query }) => getAdminOrderPage(database, requireAdministrator(scope), query),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/admin/orders/:orderId',
      access: 'administrator',
      id: 'updateAdminOrder',
      tag: 'Administration',
      summary: 'Move an order on',
      description:
        'Forward only. A rejection cancels the order; working on it approves it. What is cancelled gives its stock ' +
        'back, once. What is delivered or cancelled closes its sale.',
      parameters: OrderPath,
      body: AdminOrderChange,
      answer: OrderWithLines,
      example: { ...orderWithLinesExample, orderStatus: 'PROCESSING', adminApproval: 'VERIFIED' },
    },
    ({ scope, parameters, body }) =>
      changeOrder(database, requireAdministrator(scope), parameters.orderId, body),
    { after: () => catalogue.forgetStock() },
  );
}
