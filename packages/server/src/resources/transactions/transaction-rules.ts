import {
  pageMeta,
  pageRequest,
  type Transaction,
  type TransactionListQuery,
  type TransactionPage,
} from '@keyfront/protocol';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { listTransactions, listTransactionsAt } from './transaction-queries.ts';

/** Gets one page of transactions that the caller's wallet took part in. */
export async function getTransactionPage(
  database: Database,
  scope: HolderScope | AdministratorScope,
  query: TransactionListQuery,
): Promise<TransactionPage> {
  const page = pageRequest(query);
  const { transactions, itemCount } = await listTransactions(database, scope, query.type || null, page);
  return {
    transactions: transactions.map(withChecksums),
    pageMetaDto: pageMeta(page, itemCount),
  };
}

/** Describes transactions as they were at these snapshots. */
export async function describeTransactionsAt(
  tx: RunStatement,
  snapshots: readonly string[],
): Promise<(Transaction | null)[]> {
  return (await listTransactionsAt(tx, snapshots)).map(
    (transaction) => transaction && withChecksums(transaction),
  );
}

function withChecksums(transaction: Transaction): Transaction {
  return Object.assign(transaction, {
    from: transaction.from && toChecksumAddress(transaction.from),
    to: transaction.to && toChecksumAddress(transaction.to),
  });
}
