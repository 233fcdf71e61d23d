import { transactionOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getTransactionPage } from './transaction-rules.ts';

export function addTransactionRoutes(router: OperationRouter, database: Database): void {
  router.add(
    transactionOperations.listTransactions,
    ({ scope, query }) => getTransactionPage(database, scope, query),
    { readsReplica: true },
  );
}
