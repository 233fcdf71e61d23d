import type { FileStore } from '@keyfront/file-store';
import { renderInvoice, renderPackingSlip } from '@keyfront/order-pages';
import { orderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { requireOwnClient } from '../clients/client-rules.ts';
import { decideEach } from '../decisions/decide-each.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import type { LinkSettings } from '../providers/return-url.ts';
import { findShipment, getAdminOrder, getOrderOfPlatform } from './admin-order.ts';
import { placeOrder } from './checkout/place-order.ts';
import { exportCsv } from './listing/export-orders.ts';
import { getAdminOrderPage, getOrderPage } from './listing/list-orders.ts';
import { refundOrder } from './money/refund-order.ts';
import { getOrder, getOrderHistory } from './order-rules.ts';
import { shipOrder, updateShipment } from './shipping/ship-order.ts';
import { changeOrder, decideOrder } from './state/change-order.ts';
import { updateOrder } from './state/update-order.ts';
import { getOrderChart, getOrderSummary } from './stats/order-stats-rules.ts';

/** What the routes of orders need beside the database and the catalogue. */
export interface OrderDependencies {
  readonly payments: LinkSettings;
  readonly kycLinks: ProviderLinks;
  /** Where archived orders are. Null: nowhere. */
  readonly archiveStore: FileStore | null;
  /** Who invoices. */
  readonly sellerName: string;
  /** Marks what is printed. */
  readonly isSandbox: boolean;
}

export function addOrderRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
  { payments, kycLinks, archiveStore, ...printed }: OrderDependencies,
): void {
  const after = () => catalogue.clearStock();

  router.add(
    orderOperations.createOrder,
    ({ scope, body, tx }) => placeOrder(tx, database, scope, body, payments),
    // Two orders of one cart, or with one reference, cannot both be placed. The second one reads after the first.
    {
      after,
      shareTransaction: {
        conflictKeysOf: ({ clientId, items, externalReference }) => [
          ...(items ? [] : [clientId.toLowerCase()]),
          ...(externalReference ? [`reference ${externalReference}`] : []),
        ],
      },
    },
  );
  router.add(orderOperations.listOrders, ({ scope, query }) => getOrderPage(database, scope, query), {
    readsReplica: true,
    requireQueryInPath: ({ scope, query: { clientId = '' } }) => requireOwnClient(database, scope, clientId),
  });
  router.add(orderOperations.exportOrders, ({ scope, query }) => getOrderPage(database, scope, query), {
    readsReplica: true,
    file: ({ scope, query }) => exportCsv({ database, archiveStore }, scope, query, new Date()),
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
    orderOperations.updateOrder,
    ({ scope, parameters, body }) => updateOrder(database, scope, parameters.orderId, body),
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
  router.add(
    orderOperations.decideAdminOrders,
    ({ scope, body }) => decideEach(body, (id, change) => decideOrder(database, scope, id, change)),
    { after, hasOwnTransactions: true },
  );
  router.add(orderOperations.getAdminOrder, ({ scope, parameters }) =>
    getAdminOrder(database, scope, parameters.orderId, kycLinks),
  );
  router.add(orderOperations.getInvoice, async ({ scope, parameters }) =>
    renderInvoice(await getOrder(database, scope, parameters.orderId), printed),
  );
  router.add(orderOperations.getAdminInvoice, async ({ scope, parameters }) =>
    renderInvoice(await getOrderOfPlatform(database, scope, parameters.orderId), printed),
  );
  router.add(orderOperations.getPackingSlip, async ({ scope, parameters, query }) => {
    const order = await getOrderOfPlatform(database, scope, parameters.orderId);
    return renderPackingSlip(order, printed, findShipment(order, query));
  });
  router.add(orderOperations.createShipment, ({ scope, parameters, body, tx }) =>
    shipOrder(tx, scope, parameters.orderId, body),
  );
  router.add(orderOperations.updateShipment, ({ scope, parameters, body }) =>
    updateShipment(database, scope, parameters, body),
  );
  router.add(
    orderOperations.createRefund,
    ({ scope, parameters, body, tx }) => refundOrder(tx, scope, parameters.orderId, body),
    { after },
  );
}
