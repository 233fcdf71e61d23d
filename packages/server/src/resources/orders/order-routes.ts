import { orderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { requireOwnClient } from '../clients/client-rules.ts';
import type { CheckoutSettings } from '../payments/payment-rules.ts';
import { placeOrder } from './checkout/place-order.ts';
import { exportCsv } from './listing/export-orders.ts';
import { getAdminOrderPage, getOrderPage } from './listing/list-orders.ts';
import { getOrder, getOrderHistory } from './order-rules.ts';
import { cancelOrder } from './state/cancel-order.ts';
import { changeOrder } from './state/change-order.ts';
import { getOrderChart, getOrderSummary } from './stats/order-stats-rules.ts';

export function addOrderRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
  payments: CheckoutSettings,
): void {
  const after = () => catalogue.clearStock();

  router.add(
    orderOperations.createOrder,
    ({ scope, body, tx }) => placeOrder(tx, database, scope, body, payments),
    // Two orders of one cart cannot both be placed. The second one reads the cart after the first.
    {
      after,
      shareTransaction: { conflictKeysOf: ({ clientId, items }) => (items ? [] : [clientId.toLowerCase()]) },
    },
  );
  router.add(orderOperations.listOrders, ({ scope, query }) => getOrderPage(database, scope, query), {
    readsReplica: true,
    requireQueryInPath: ({ scope, query: { clientId = '' } }) => requireOwnClient(database, scope, clientId),
  });
  router.add(orderOperations.exportOrders, ({ scope, query }) => getOrderPage(database, scope, query), {
    readsReplica: true,
    file: ({ scope, query }) => exportCsv(database, scope, query, new Date()),
  });
  router.add(orderOperations.getOrderSummary, ({ scope }) => getOrderSummary(database, scope), {
    readsReplica: true,
  });
  router.add(
    orderOperations.getOrderChart,
    ({ scope, query }) => getOrderChart(database, scope, query, new Date()),
    { readsReplica: true },
  );
  router.add(orderOperations.getOrder, ({ scope, parameters }) =>
    getOrder(database, scope, parameters.orderId),
  );
  router.add(
    orderOperations.cancelOrder,
    ({ scope, parameters }) => cancelOrder(database, scope, parameters.orderId),
    { after },
  );
  router.add(orderOperations.getOrderHistory, ({ scope, parameters }) =>
    getOrderHistory(database, scope, parameters.orderId),
  );
  router.add(
    orderOperations.listAdminOrders,
    ({ scope, query }) => getAdminOrderPage(database, scope, query),
    { readsReplica: true },
  );
  router.add(
    orderOperations.updateAdminOrder,
    ({ scope, parameters, body }) => changeOrder(database, scope, parameters.orderId, body),
    { after },
  );
}
