import { type PageRequest, pageOffset, type Transaction, type TransactionType } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { type PageRow, readPage } from '../../database/queries/page-rows.ts';
import { placeByNumber } from '../../database/queries/place-by-number.ts';
import { statement } from '../../database/statements/statement.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';

const columns = `id, type, token_id AS "tokenId", from_address AS "from", to_address AS "to", trim_scale(price)::text AS price,
  currency, tx_hash AS "txHash", block_number AS "blockNumber", occurred_at AS timestamp, sale_id AS "saleId"`;

const listAt = statement<Transaction & { number: number }>(
  'transactions.list-at',
  `SELECT number, ${columns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::transactions, wanted.snapshot) AS transactions`,
);

/** Lists transactions as they were at these snapshots, in their order. */
export async function listTransactionsAt(
  tx: RunStatement,
  snapshots: readonly string[],
): Promise<(Transaction | null)[]> {
  const rows = await tx(listAt, [snapshots]);
  return placeByNumber(snapshots.length, rows, ({ number: _number, ...transaction }) => transaction);
}

const listPage = statement<PageRow<Transaction>>(
  'transactions.page',
  `WITH matching AS (
     SELECT ${columns}
     FROM transactions
     WHERE (from_address = $1 OR to_address = $1) AND ($2::text IS NULL OR type = $2)
   )
   SELECT total.count AS "itemCount", page.*
   FROM (SELECT count(*) FROM matching) AS total
   LEFT JOIN (SELECT * FROM matching ORDER BY timestamp DESC, id DESC LIMIT $3 OFFSET $4) AS page ON true
   ORDER BY page.timestamp DESC, page.id DESC`,
);

/** Lists one page of transactions of the wallet, newest first, with the total count. Addresses are in lower case. */
export async function listTransactions(
  database: Database,
  scope: HolderScope | AdministratorScope,
  type: TransactionType | null,
  page: PageRequest,
): Promise<{ transactions: Transaction[]; itemCount: number }> {
  const rows = await database.query(scope, listPage, [
    scope.walletAddress,
    type,
    page.take,
    pageOffset(page),
  ]);
  const { items: transactions, itemCount } = readPage(rows);
  return { transactions, itemCount };
}
