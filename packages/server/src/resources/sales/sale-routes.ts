import { saleOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { createSale } from './create-sale.ts';
import { changeSale, getSaleHistory, getSalePage, getSaleSummary } from './sale-rules.ts';

export function addSaleRoutes(router: OperationRouter, database: Database): void {
  router.add(saleOperations.updateSale, ({ scope, query, body }) =>
    changeSale(database, scope, query.id ?? null, body),
  );
  router.add(saleOperations.createSale, ({ scope, body, tx }) => createSale(tx, database, scope, body));
  router.add(saleOperations.listSales, ({ scope, query }) => getSalePage(database, scope, query), {
    readsReplica: true,
  });
  router.add(saleOperations.getSaleSummary, ({ scope }) => getSaleSummary(database, scope), {
    readsReplica: true,
  });
  router.add(saleOperations.getSaleHistory, ({ scope, parameters, query }) =>
    getSaleHistory(database, scope, parameters.saleId, query),
  );
}
