import { orderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { requireOwnClient } from '../clients/client-rules.ts';
import { requireAdministrator, requireHolder } from '../holders/holder-rules.ts';
import type { CheckoutSettings } from '../payments/payment-rules.ts';
import { placeOrder } from './checkout/place-order.ts';
import { exportCsv, getAdminOrderPage, getOrderPage } from './listing/list-orders.ts';
import { getOrder, getOrderHistory } from './order-rules.ts';
import { cancelOrder } from './state/cancel-order.ts';
import { changeOrder } from './state/change-order.ts';
import { getOrderChart, getOrderSummary } from './stats/order-stats-rules.ts';

export function bindOrders(
  binder: OperationBinder,
  database: Database,
  catalogue: CatalogueCache,
  payments: CheckoutSettings,
): void {
  const after = () => catalogue.clearStock();

  binder.bind(
    orderOperations.createOrder,
    ({ scope, body, run }) => placeOrder(run, database, requireHolder(scope), body, payments),
    // Two orders of one cart cannot both be placed. The second one reads the cart after the first.
    {
      after,
      shareTransaction: { conflictKeysOf: ({ clientId, items }) => (items ? [] : [clientId.toLowerCase()]) },
    },
  );
  binder.bind(
    orderOperations.listOrders,
    ({ scope, query }) => getOrderPage(database, requireHolder(scope), query),
    {
      readsReplica: true,
      requireQueryInPath: ({ scope, query: { clientId = '' } }) =>
        requireOwnClient(database, requireHolder(scope), clientId),
    },
  );
  binder.bind(orderOperations.exportOrders, ({ scope, query }) => getOrderPage(database, scope, query), {
    readsReplica: true,
    file: ({ scope, query }) => exportCsv(database, scope, query, new Date()),
  });
  binder.bind(
    orderOperations.getOrderSummary,
    ({ scope }) => getOrderSummary(database, requireHolder(scope)),
    { readsReplica: true },
  );
  binder.bind(
    orderOperations.getOrderChart,
    ({ scope, query }) => getOrderChart(database, requireHolder(scope), query, new Date()),
    { readsReplica: true },
  );
  binder.bind(orderOperations.getOrder, ({ scope, parameters }) =>
    getOrder(database, requireHolder(scope), parameters.orderId),
  );
  binder.bind(
    orderOperations.cancelOrder,
    ({ scope, parameters }) => cancelOrder(database, requireHolder(scope), parameters.orderId),
    { after },
  );
  binder.bind(orderOperations.getOrderHistory, ({ scope, parameters }) =>
    getOrderHistory(database, requireHolder(scope), parameters.orderId),
  );
  binder.bind(
    orderOperations.listAdminOrders,
    ({ scope, query }) => getAdminOrderPage(database, requireAdministrator(scope), query),
    { readsReplica: true },
  );
  binder.bind(
    orderOperations.updateAdminOrder,
    ({ scope, parameters, body }) =>
      changeOrder(database, requireAdministrator(scope), parameters.orderId, body),
    { after },
  );
}
