import { type PageRequest, pageOffset, type Transaction, type TransactionType } from '@keyfront/protocol';
import { listAt } from '../../database/queries/list-at.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';

const columns = `id, type, token_id AS "tokenId", from_address AS "from", to_address AS "to", trim_scale(price)::text AS price,
  currency, tx_hash AS "txHash", block_number AS "blockNumber", occurred_at AS timestamp, sale_id AS "saleId"`;

/** Lists transactions as they were at these snapshots, in their order. */
export const listTransactionsAt = listAt<Transaction>(
  'transactions.list-at',
  `SELECT number, ${columns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::transactions, wanted.snapshot) AS transactions`,
);

/** Lists one page of transactions of the wallet, newest first, with the total count. Addresses are in lower case. */
export const listTransactions = query<PageRow<Transaction>>(
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
).listInScope((scope: HolderScope | AdministratorScope, type: TransactionType | null, page: PageRequest) => [
  scope.walletAddress,
  type,
  page.take,
  pageOffset(page),
]);
