import { pageMeta, pageRequest, type TransactionListQuery, type TransactionPage } from '@keyfront/protocol';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope } from '../../database/scope.ts';
import { listTransactions } from './transaction-queries.ts';

/** Gets one page of transactions that the caller's wallet took part in. */
export async function getTransactionPage(
  database: Database,
  scope: HolderScope | AdministratorScope,
  query: TransactionListQuery,
): Promise<TransactionPage> {
  const page = pageRequest(query);
  const { transactions, itemCount } = await listTransactions(database, scope, query.type || null, page);
  return {
    transactions: transactions.map((transaction) =>
      Object.assign(transaction, {
        from: transaction.from && toChecksumAddress(transaction.from),
        to: transaction.to && toChecksumAddress(transaction.to),
      }),
    ),
    pageMetaDto: pageMeta(page, itemCount),
  };
}
