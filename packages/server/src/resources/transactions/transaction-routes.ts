import { transactionOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { getTransactionPage } from './transaction-rules.ts';

export function bindTransactions(binder: OperationBinder, database: Database): void {
  binder.bind(
    transactionOperations.listTransactions,
    ({ scope, query }) => getTransactionPage(database, scope, query),
    { readsReplica: true },
  );
}
