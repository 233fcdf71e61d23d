import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

/** How something was before a block changed it; null of a digital key: there was none. */
export type Change =
  | { readonly kind: 'transaction'; readonly id: string }
  | { readonly kind: 'place'; readonly id: string }
  | {
      readonly kind: 'owner';
      readonly tokenId: number;
      readonly holderId: string;
      readonly acquiredAt: string;
    }
  | { readonly kind: 'minted'; readonly tokenId: number }
  | { readonly kind: 'keys'; readonly ids: readonly string[] }
  | SaleChange
  | {
      readonly kind: 'primary';
      readonly holderId: string;
      readonly before: number | null;
      readonly after: number | null;
    };

/** The state of a sale before a block changed it, and after. */
export interface SaleChange {
  readonly kind: 'sale';
  readonly id: string;
  readonly state: string;
  /** Missing where an earlier version wrote it. */
  readonly after?: string;
}

export interface NewTransaction {
  readonly type: 'MINT' | 'TRANSFER' | 'LIST' | 'LIST_CANCEL' | 'SALE';
  readonly tokenId: number;
  readonly from: string | null;
  readonly to: string | null;
  /** In ether, as a decimal. */
  readonly price: string | null;
  readonly saleId: string | null;
  readonly chainId: number;
  readonly txHash: string;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly occurredAt: Date;
}

// What a signature did here and the chain now confirms stands once; so does what was read before.
const writeTransaction = statement<{ id: string; isPlaced: boolean }>(
  'chain.write-transaction',
  `WITH placed AS (
     UPDATE transactions SET chain_id = $7, tx_hash = $8, log_index = $9, block_number = $10
     WHERE sale_id = $6 AND type = $1 AND origin = 'SIGNATURE' AND chain_id IS NULL
     RETURNING id, true AS is_placed
   ), written AS (
     INSERT INTO transactions (type, token_id, from_address, to_address, price, currency, sale_id, chain_id, tx_hash,
       log_index, block_number, occurred_at, origin)
     SELECT $1, $2, $3, $4, $5::numeric, CASE WHEN $5 IS NULL THEN NULL ELSE 'ETH' END, $6::uuid, $7::bigint, $8,
       $9::int, $10::bigint, $11, 'CHAIN'
     WHERE NOT EXISTS (SELECT FROM placed)
     ON CONFLICT DO NOTHING
     RETURNING id, false AS is_placed
   )
   SELECT id, is_placed AS "isPlaced" FROM placed UNION ALL SELECT id, is_placed FROM written`,
);

/** Writes a transaction, or gives one that a signature wrote its place on the chain. Null when it is there already. */
export async function recordTransaction(run: RunInTransaction, row: NewTransaction): Promise<Change | null> {
  const [written] = await run(writeTransaction, [
    row.type,
    row.tokenId,
    row.from,
    row.to,
    row.price,
    row.saleId,
    row.chainId,
    row.txHash,
    row.logIndex,
    row.blockNumber,
    row.occurredAt,
  ]);
  return written ? { kind: written.isPlaced ? 'place' : 'transaction', id: written.id } : null;
}

const ensureHolderOf = statement<{ id: string }>(
  'chain.ensure-holder',
  `WITH known AS (SELECT id FROM holders WHERE wallet_address = $1), made AS (
     INSERT INTO holders (wallet_address) SELECT $1 WHERE NOT EXISTS (SELECT FROM known)
     -- One that another transaction has just made is not seen yet, but can be updated.
     ON CONFLICT (wallet_address) DO UPDATE SET wallet_address = excluded.wallet_address RETURNING id
   )
   SELECT id FROM known UNION ALL SELECT id FROM made`,
);

/** The holder with this wallet, made where there was none. */
export async function ensureHolder(run: RunInTransaction, walletAddress: string): Promise<string> {
  const [holder] = await run(ensureHolderOf, [walletAddress]);
  if (!holder) throw new Error('A holder could not be made');
  return holder.id;
}

const lockToken = statement<{ holderId: string; acquiredAt: string }>(
  'chain.lock-token',
  `SELECT holder_id AS "holderId", acquired_at AS "acquiredAt" FROM digital_keys WHERE token_id = $1 FOR UPDATE`,
);

/** Who has the digital key, kept so until the transaction ends; null when there is none. */
export async function lockOwner(run: RunInTransaction, tokenId: number) {
  const [owner] = await run(lockToken, [tokenId]);
  return owner ?? null;
}

// Tokens of the contract name no planet, so that they are put on the planets in turn.
const insertToken = statement<{ tokenId: number }>(
  'chain.insert-token',
  `INSERT INTO digital_keys (token_id, holder_id, planet_id, acquired_at)
   SELECT $1::bigint, $2::uuid, id, $3::timestamptz FROM planets ORDER BY number
   OFFSET $1::bigint % greatest((SELECT count(*) FROM planets), 1) LIMIT 1
   RETURNING token_id AS "tokenId"`,
);

/** Makes a digital key; false when there is no planet to put it on. */
export async function makeToken(
  run: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<boolean> {
  return (await run(insertToken, [tokenId, holderId, acquiredAt])).length > 0;
}

const updateOwner = statement(
  'chain.update-owner',
  'UPDATE digital_keys SET holder_id = $2, acquired_at = $3 WHERE token_id = $1',
);

export async function setOwner(
  run: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<void> {
  await run(updateOwner, [tokenId, holderId, acquiredAt]);
}

const revokeKeysOf = statement<{ id: string }>(
  'chain.revoke-keys',
  `UPDATE api_keys SET revoked_at = now() WHERE token_id = $1 AND holder_id = $2 AND revoked_at IS NULL RETURNING id`,
);
const restoreKeysOf = statement(
  'chain.restore-keys',
  'UPDATE api_keys SET revoked_at = NULL WHERE id = ANY ($1)',
);

/** Revokes what the holder issued for the digital key. */
export async function revokeKeys(
  run: RunInTransaction,
  tokenId: number,
  holderId: string,
): Promise<string[]> {
  return (await run(revokeKeysOf, [tokenId, holderId])).map(({ id }) => id);
}

export async function restoreKeys(run: RunInTransaction, ids: readonly string[]): Promise<void> {
  await run(restoreKeysOf, [ids]);
}

const cancelOpen = statement<{ id: string; state: string }>(
  'chain.cancel-sales',
  `WITH before AS (
     SELECT id, state FROM nft_sales WHERE token_id = $1 AND seller_id = $2 AND state IN ('DRAFT', 'LISTED') AND id IS DISTINCT FROM $3 FOR UPDATE
   )
   UPDATE nft_sales SET state = 'CANCELLED' FROM before WHERE nft_sales.id = before.id
   RETURNING nft_sales.id, before.state`,
);

/** Cancels what the holder has on offer of the digital key, but for one that is completed; gives each as it was. */
export function cancelOpenSales(
  run: RunInTransaction,
  tokenId: number,
  sellerId: string,
  completedId: string | null,
) {
  return run(cancelOpen, [tokenId, sellerId, completedId]);
}

const lockSaleOf = statement<{ state: string; seller: string }>(
  'chain.lock-sale',
  `SELECT state, wallet_address AS seller FROM nft_sales JOIN holders ON holders.id = seller_id
   WHERE nft_sales.id = $1 AND token_id = $2 FOR UPDATE OF nft_sales`,
);
const updateSale = statement('chain.update-sale', 'UPDATE nft_sales SET state = $2 WHERE id = $1');

/** The sale of this id and token, if it is one of the service's. */
export async function lockSale(run: RunInTransaction, saleId: string, tokenId: number) {
  const [sale] = await run(lockSaleOf, [saleId, tokenId]);
  return sale ?? null;
}

export async function setSaleState(run: RunInTransaction, saleId: string, state: string): Promise<void> {
  await run(updateSale, [saleId, state]);
}

// Only one sale of a digital key is open at a time, and only its owner has one.
const restoreSaleOf = statement(
  'chain.restore-sale',
  `UPDATE nft_sales SET state = CASE
     WHEN $2 NOT IN ('DRAFT', 'LISTED') THEN $2
     WHEN EXISTS (
       SELECT FROM digital_keys WHERE digital_keys.token_id = nft_sales.token_id AND holder_id = nft_sales.seller_id
     ) AND NOT EXISTS (
       SELECT FROM nft_sales AS other
       WHERE other.token_id = nft_sales.token_id AND other.id <> nft_sales.id AND other.state IN ('DRAFT', 'LISTED')
     ) THEN $2
     ELSE 'CANCELLED' END
   WHERE id = $1 AND ($3::text IS NULL OR state = $3)`,
);

/**
 * Gives a sale its former state back, unless its state has changed since. A sale that cannot be open again, since another
 * one is or the seller no longer owns the digital key, becomes cancelled.
 */
export async function restoreSale(
  run: RunInTransaction,
  { id, state, after }: Omit<SaleChange, 'kind'>,
): Promise<void> {
  await run(restoreSaleOf, [id, state, after ?? null]);
}

const settle = statement<{ before: number | null; after: number | null }>(
  'chain.settle-primary',
  `WITH before AS (
     SELECT id, primary_token_id FROM holders WHERE id = $1 AND NOT EXISTS (
       SELECT FROM digital_keys WHERE token_id = primary_token_id AND holder_id = $1
     ) FOR UPDATE
   )
   UPDATE holders SET primary_token_id = (SELECT min(token_id) FROM digital_keys WHERE holder_id = $1)
   FROM before WHERE holders.id = before.id
   RETURNING before.primary_token_id AS before, holders.primary_token_id AS after`,
);

/** Gives a holder whose primary digital key is gone, or who never had one, another; null when nothing changes. */
export async function settlePrimary(run: RunInTransaction, holderId: string): Promise<Change | null> {
  const [changed] = await run(settle, [holderId]);
  if (!changed || changed.before === changed.after) return null;
  return { kind: 'primary', holderId, ...changed };
}

const restorePrimaryOf = statement(
  'chain.restore-primary',
  `UPDATE holders SET primary_token_id = $2 WHERE id = $1 AND primary_token_id IS NOT DISTINCT FROM $3
     AND ($2::bigint IS NULL OR EXISTS (SELECT FROM digital_keys WHERE token_id = $2 AND holder_id = $1))`,
);

/** Gives the primary digital key back, unless the holder has chosen another since. */
export async function restorePrimary(
  run: RunInTransaction,
  { holderId, before, after }: Extract<Change, { kind: 'primary' }>,
): Promise<void> {
  await run(restorePrimaryOf, [holderId, before, after]);
}

const deleteTransactionOf = statement('chain.delete-transaction', 'DELETE FROM transactions WHERE id = $1');
const displace = statement(
  'chain.displace-transaction',
  `UPDATE transactions SET chain_id = NULL, tx_hash = NULL, log_index = NULL, block_number = NULL WHERE id = $1`,
);

export async function deleteTransaction(run: RunInTransaction, id: string): Promise<void> {
  await run(deleteTransactionOf, [id]);
}

export async function takePlaceAway(run: RunInTransaction, id: string): Promise<void> {
  await run(displace, [id]);
}

const lockOwnSale = statement(
  'chain.lock-own-sale',
  'SELECT FROM sales WHERE token_id = $1 AND client_id IS NULL FOR UPDATE',
);
// Carts and orders need a client. The own sale has one entry of history from the start, and one more for each change.
const findUse = statement<{ isUsed: boolean }>(
  'chain.find-use',
  `SELECT EXISTS (SELECT FROM clients WHERE token_id = $1)
     OR EXISTS (SELECT FROM api_keys WHERE token_id = $1)
     OR EXISTS (SELECT FROM nft_sales WHERE token_id = $1)
     OR EXISTS (SELECT FROM sales WHERE token_id = $1 AND client_id IS NOT NULL)
     OR EXISTS (
       SELECT FROM sales JOIN sale_history ON sale_history.sale_id = sales.id
       WHERE sales.token_id = $1 AND sales.client_id IS NULL OFFSET 1
     ) AS "isUsed"`,
);
const deleteHistoryOf = statement(
  'chain.delete-own-sale-history',
  'DELETE FROM sale_history WHERE sale_id IN (SELECT id FROM sales WHERE token_id = $1)',
);
const deleteOwnSale = statement('chain.delete-own-sale', 'DELETE FROM sales WHERE token_id = $1');
const deleteToken = statement('chain.delete-token', 'DELETE FROM digital_keys WHERE token_id = $1');

/**
 * Removes a digital key that was never minted after all, unless somebody has used it. The caller has locked its row, so
 * nobody starts to use it meanwhile; the own sale can be changed without that lock and has one of its own.
 */
export async function removeUnusedToken(run: RunInTransaction, tokenId: number): Promise<void> {
  await run(lockOwnSale, [tokenId]);
  const [use] = await run(findUse, [tokenId]);
  if (use?.isUsed !== false) return;
  await run(deleteHistoryOf, [tokenId]);
  await run(deleteOwnSale, [tokenId]);
  await run(deleteToken, [tokenId]);
}

const insertChange = statement(
  'chain.note-change',
  'INSERT INTO chain_changes (chain_id, block_number, change) VALUES ($1, $2, $3)',
);
const takeChanges = statement<{ change: Change }>(
  'chain.take-changes',
  `WITH taken AS (DELETE FROM chain_changes WHERE chain_id = $1 AND block_number > $2 RETURNING id, change)
   SELECT change FROM taken ORDER BY id DESC`,
);

/** Notes how something was, for the case that the block is taken back. */
export async function noteChange(
  run: RunInTransaction,
  chainId: number,
  blockNumber: number,
  change: Change,
): Promise<void> {
  await run(insertChange, [chainId, blockNumber, JSON.stringify(change)]);
}

/** What the blocks above this one changed, the last change first. They are noted no longer. */
export async function takeChangesAbove(
  run: RunInTransaction,
  chainId: number,
  blockNumber: number,
): Promise<Change[]> {
  return (await run(takeChanges, [chainId, blockNumber])).map(({ change }) => change);
}
