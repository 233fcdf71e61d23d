import { statement } from '@keyfront/postgres';
import { type NewNftSale, type NftSaleState, type PageRequest, pageOffset } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { listAt } from '../../database/queries/list-at.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { isOwned, type NftSaleRecord, nftSaleColumns, nftSalesWithSeller } from './nft-sale-record.ts';

export interface NftSaleFilter {
  readonly tokenId: string | null;
  /** In lower case. */
  readonly seller: string | null;
  readonly state: NftSaleState | null;
}

const closeExpired = statement(
  'nft-sales.close-expired',
  `UPDATE nft_sales SET state = 'CANCELLED'
   WHERE token_id = $1 AND seller_id = $2 AND state IN ('DRAFT', 'LISTED') AND expires_at < now()`,
);
// Whole seconds, because the typed data expresses the expiry in seconds.
const insertDraft = statement<NftSaleRecord>(
  'nft-sales.insert',
  `WITH nft_sales AS (
     INSERT INTO nft_sales (token_id, seller_id, nonce, price, currency, expires_at)
     SELECT token_id, holder_id, nonce, $3, $4, date_trunc('second', now()) + interval '30 days'
     FROM digital_keys WHERE token_id = $1 AND holder_id = $2
     ON CONFLICT (token_id) WHERE state IN ('DRAFT', 'LISTED') DO NOTHING RETURNING *
   )
   SELECT ${nftSaleColumns} FROM ${nftSalesWithSeller}`,
);
// The insert has locked the digital key, so its owner cannot change before the commit. The owner may have changed before, though,
// and even changed back: the nonce tells.
const stillOwned = statement(
  'nft-sales.still-owned',
  `SELECT raise_conflict() WHERE NOT EXISTS (
     SELECT FROM digital_keys WHERE token_id = $1 AND holder_id = $2 AND nonce = $3
   )`,
);

/**
 * Inserts a draft and closes an expired sale of the digital key. Returns null if the holder no longer owns the digital key or
 * already has an open sale of it.
 */
export async function insertNftSale(
  tx: RunInTransaction,
  scope: HolderScope,
  { price, currency }: Omit<Required<NewNftSale>, 'tokenId'>,
): Promise<NftSaleRecord | null> {
  const { tokenId } = scope;
  const [, [sale]] = await Promise.all([
    tx(closeExpired, [tokenId, scope.holderId]),
    tx(insertDraft, [tokenId, scope.holderId, price, currency]),
  ]);
  if (sale) tx.atCommit(stillOwned, [tokenId, scope.holderId, sale.nonce]);
  return sale ?? null;
}

/** Whether the holder owns the digital key. */
export const ownsToken = query<{ tokenId: number }>(
  'nft-sales.find-owned',
  'SELECT token_id AS "tokenId" FROM digital_keys WHERE token_id = $1 AND holder_id = $2',
).has((scope: HolderScope, tokenId: number) => [tokenId, scope.holderId]);

/** Finds a sale in the scope, and whether the holder still owns the digital key. */
export const findOwnNftSale = query<NftSaleRecord & { isOwned: boolean }>(
  'nft-sales.find-own',
  `SELECT ${nftSaleColumns}, ${isOwned} AS "isOwned" FROM ${nftSalesWithSeller}
   WHERE nft_sales.id = $1 AND nft_sales.token_id = $2 AND nft_sales.seller_id = $3`,
).findInScope((scope: HolderScope, id: string) => [id, scope.tokenId, scope.holderId]);

/** Finds a sale of any holder. */
export const findNftSale = query<NftSaleRecord>(
  'nft-sales.find',
  `SELECT ${nftSaleColumns} FROM ${nftSalesWithSeller} WHERE nft_sales.id = $1`,
).findInScope((_scope: AdministratorScope, id: string) => [id]);

/** Lists sales as they were at these snapshots, in their order. */
export const listNftSalesAt = listAt<NftSaleRecord>(
  'nft-sales.list-at',
  `SELECT wanted.number, ${nftSaleColumns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::nft_sales, wanted.snapshot) AS nft_sales
   CROSS JOIN LATERAL (SELECT wanted.snapshot ->> 'seller_address' AS wallet_address) AS holders`,
);

/** Cancels a draft. Returns null if the scope has no such draft. */
export const withdrawDraft = query<NftSaleRecord>(
  'nft-sales.withdraw',
  `WITH nft_sales AS (
     UPDATE nft_sales SET state = 'CANCELLED'
     WHERE id = $1 AND token_id = $2 AND seller_id = $3 AND state = 'DRAFT' RETURNING *
   )
   SELECT ${nftSaleColumns} FROM ${nftSalesWithSeller}`,
).findInScope((scope: HolderScope, id: string) => [id, scope.tokenId, scope.holderId]);

/** Whether the sale exists, in any scope. */
export const nftSaleExists = rowExists('nft_sales');

const composeListPage = (name: string, isVisible: string) =>
  statement<PageRow<NftSaleRecord>>(
    `nft-sales.page-of-${name}`,
    `WITH matching AS (
       SELECT ${nftSaleColumns} FROM ${nftSalesWithSeller}
       WHERE ${isVisible}
         AND ($3::bigint IS NULL OR nft_sales.token_id = $3)
         AND ($4::text IS NULL OR holders.wallet_address = $4)
         AND ($5::text IS NULL OR nft_sales.state = $5)
     )
     SELECT total.count AS "itemCount", page.*
     FROM (SELECT count(*) FROM matching) AS total
     LEFT JOIN (SELECT * FROM matching ORDER BY "createdAt" DESC, id DESC LIMIT $6 OFFSET $7) AS page ON true
     ORDER BY page."createdAt" DESC, page.id DESC`,
  );
const listOfHolder = composeListPage('holder', 'nft_sales.token_id = $1 AND nft_sales.seller_id = $2');
const listOfPlatform = composeListPage('platform', '$1::bigint IS NULL AND $2::uuid IS NULL');

/** Lists one page of matching sales, newest first, with the total count: those of the scope, or all for an administrator. */
export function listNftSales(
  database: Database,
  scope: HolderScope | AdministratorScope,
  { tokenId, seller, state }: NftSaleFilter,
  page: PageRequest,
): Promise<PageRow<NftSaleRecord>[]> {
  const filter = [tokenId, seller, state, page.take, pageOffset(page)];
  return scope.role === 'holder'
    ? database.query(scope, listOfHolder, [scope.tokenId, scope.holderId, ...filter])
    : database.query(scope, listOfPlatform, [null, null, ...filter]);
}
