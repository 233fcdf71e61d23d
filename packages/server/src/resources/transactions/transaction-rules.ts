import { toChecksumAddress } from '@keyfront/evm';
import type { Transaction, TransactionListQuery, TransactionPage } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { convertAt } from '../../database/queries/list-at.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import { listTransactions, listTransactionsAt } from './transaction-queries.ts';

/** Gets one page of transactions that the caller's wallet took part in. */
export async function getTransactionPage(
  database: Database,
  scope: HolderScope | AdministratorScope,
  query: TransactionListQuery,
): Promise<TransactionPage> {
  const type = query.type || null;
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listTransactions(database, scope, type, page),
  );
  return { transactions: items.map(withChecksums), pageMetaDto };
}

/** Describes transactions as they were at these snapshots. */
export const describeTransactionsAt = convertAt(listTransactionsAt, withChecksums);

function withChecksums(transaction: Transaction): Transaction {
  return Object.assign(transaction, {
    from: transaction.from && toChecksumAddress(transaction.from),
    to: transaction.to && toChecksumAddress(transaction.to),
  });
}
