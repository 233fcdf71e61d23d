import { saleOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { createSale } from './create-sale.ts';
import { changeSale, getSaleHistory, getSalePage, getSaleSummary } from './sale-rules.ts';

export function bindSales(binder: OperationBinder, database: Database): void {
  binder.bind(saleOperations.updateSale, ({ scope, query, body }) =>
    changeSale(database, requireHolder(scope), query.id ?? null, body),
  );
  binder.bind(saleOperations.createSale, ({ scope, body, run }) =>
    createSale(run, database, requireHolder(scope), body),
  );
  binder.bind(
    saleOperations.listSales,
    ({ scope, query }) => getSalePage(database, requireHolder(scope), query),
    { readsReplica: true },
  );
  binder.bind(saleOperations.getSaleSummary, ({ scope }) => getSaleSummary(database, requireHolder(scope)), {
    readsReplica: true,
  });
  binder.bind(saleOperations.getSaleHistory, ({ scope, parameters, query }) =>
    getSaleHistory(database, requireHolder(scope), parameters.saleId, query),
  );
}
