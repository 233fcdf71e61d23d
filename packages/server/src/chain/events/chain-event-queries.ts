import { statement } from '@keyfront/postgres';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** The state before a block changed it. A primary digital key of null means that there was none. */
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
  | NonceChange
  | SaleChange
  | {
      readonly kind: 'primary';
      readonly holderId: string;
      readonly before: number | null;
      readonly after: number | null;
    };

/** The nonce of a digital key before a block changed its owner, and the token contract that it was counted for. */
export interface NonceChange {
  readonly kind: 'nonce';
  readonly tokenId: number;
  readonly nonce: number;
  readonly contract: string | null;
}

/** The state of a sale before a block changed it, and after. */
export interface SaleChange {
  readonly kind: 'sale';
  readonly id: string;
  readonly state: string;
  /** Missing in rows of earlier versions. */
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

// A listing or cancellation that a signature recorded gets its chain position instead of a second row. Rows read before stay.
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

/** Inserts a transaction, or sets the chain position of one that a signature recorded. Returns null if it exists already. */
export async function recordTransaction(tx: RunInTransaction, row: NewTransaction): Promise<Change | null> {
  const [written] = await tx(writeTransaction, [
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
     -- A holder that a concurrent transaction has inserted is not visible yet, but can be updated.
     ON CONFLICT (wallet_address) DO UPDATE SET wallet_address = excluded.wallet_address RETURNING id
   )
   SELECT id FROM known UNION ALL SELECT id FROM made`,
);

/** Gets or creates the holder of a wallet and returns their id. */
export async function ensureHolder(tx: RunInTransaction, walletAddress: string): Promise<string> {
  const [holder] = await tx(ensureHolderOf, [walletAddress]);
  if (!holder) throw new Error('The holder was not inserted');
  return holder.id;
}

const lockToken = statement<{ holderId: string; acquiredAt: string }>(
  'chain.lock-token',
  `SELECT holder_id AS "holderId", acquired_at AS "acquiredAt" FROM digital_keys WHERE token_id = $1 FOR UPDATE`,
);

/** Locks a digital key until the transaction ends and returns its owner. Returns null if it does not exist. */
export async function lockOwner(tx: RunInTransaction, tokenId: number) {
  const [owner] = await tx(lockToken, [tokenId]);
  return owner ?? null;
}

// Tokens of the contract have no planet, so they are assigned to the planets in turn.
const insertToken = statement<{ tokenId: number }>(
  'chain.insert-token',
  `INSERT INTO digital_keys (token_id, holder_id, planet_id, acquired_at)
   SELECT $1::bigint, $2::uuid, id, $3::timestamptz FROM planets ORDER BY number
   OFFSET $1::bigint % greatest((SELECT count(*) FROM planets), 1) LIMIT 1
   RETURNING token_id AS "tokenId"`,
);

/** Creates a digital key. Returns false if no planet exists. */
export async function createToken(
  tx: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<boolean> {
  return (await tx(insertToken, [tokenId, holderId, acquiredAt])).length > 0;
}

const updateOwner = statement(
  'chain.update-owner',
  'UPDATE digital_keys SET holder_id = $2, acquired_at = $3 WHERE token_id = $1',
);

export async function setOwner(
  tx: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<void> {
  await tx(updateOwner, [tokenId, holderId, acquiredAt]);
}

// Another token contract starts from the beginning.
const incrementNonceOf = statement<{ nonce: number; contract: string | null }>(
  'chain.increment-nonce',
  `WITH before AS (SELECT token_id, nonce, nonce_contract FROM digital_keys WHERE token_id = $1 FOR UPDATE)
   UPDATE digital_keys SET nonce_contract = $2::text,
     nonce = CASE WHEN before.nonce_contract = $2::text THEN before.nonce + 1 ELSE 1 END
   FROM before WHERE digital_keys.token_id = before.token_id
   RETURNING before.nonce, before.nonce_contract AS contract`,
);
const restoreNonceOf = statement(
  'chain.restore-nonce',
  'UPDATE digital_keys SET nonce = $2, nonce_contract = $3 WHERE token_id = $1',
);

/** Counts a change of owner, as the token contract does. */
export async function incrementNonce(
  tx: RunInTransaction,
  tokenId: number,
  contract: string,
): Promise<NonceChange | null> {
  const [before] = await tx(incrementNonceOf, [tokenId, contract]);
  return before ? { kind: 'nonce', tokenId, ...before } : null;
}

export async function restoreNonce(
  tx: RunInTransaction,
  { tokenId, nonce, contract }: NonceChange,
): Promise<void> {
  await tx(restoreNonceOf, [tokenId, nonce, contract]);
}

const revokeKeysOf = statement<{ id: string }>(
  'chain.revoke-keys',
  `UPDATE api_keys SET revoked_at = now(), revoked_by = 'CHAIN'
   WHERE token_id = $1 AND holder_id = $2 AND revoked_at IS NULL RETURNING id`,
);
const restoreKeysOf = statement(
  'chain.restore-keys',
  `UPDATE api_keys SET revoked_at = NULL, revoked_by = NULL WHERE id = ANY ($1) AND revoked_by = 'CHAIN'`,
);

/** Revokes the live API keys of a holder for a digital key and returns their ids. */
export async function revokeKeys(tx: RunInTransaction, tokenId: number, holderId: string): Promise<string[]> {
  return (await tx(revokeKeysOf, [tokenId, holderId])).map(({ id }) => id);
}

/** Restores API keys that a dropped transfer had revoked, except those that their holder has revoked as well. */
export async function restoreKeys(tx: RunInTransaction, ids: readonly string[]): Promise<void> {
  await tx(restoreKeysOf, [ids]);
}

const cancelOpen = statement<{ id: string; state: string }>(
  'chain.cancel-sales',
  `WITH before AS (
     SELECT id, state FROM nft_sales WHERE token_id = $1 AND seller_id = $2 AND state IN ('DRAFT', 'LISTED') AND id IS DISTINCT FROM $3 FOR UPDATE
   )
   UPDATE nft_sales SET state = 'CANCELLED' FROM before WHERE nft_sales.id = before.id
   RETURNING nft_sales.id, before.state`,
);

/** Cancels the open sales of a digital key, except the completed one. Returns each with its previous state. */
export function cancelOpenSales(
  tx: RunInTransaction,
  tokenId: number,
  sellerId: string,
  completedId: string | null,
) {
  return tx(cancelOpen, [tokenId, sellerId, completedId]);
}

const lockSaleRow = statement<{ state: string; seller: string }>(
  'chain.lock-sale',
  `SELECT state, wallet_address AS seller FROM nft_sales JOIN holders ON holders.id = seller_id
   WHERE nft_sales.id = $1 AND token_id = $2 FOR UPDATE OF nft_sales`,
);
const updateSaleState = statement('chain.update-sale', 'UPDATE nft_sales SET state = $2 WHERE id = $1');

/** Locks the sale with this id and token. Returns null if this service has no such sale. */
export async function lockSale(tx: RunInTransaction, saleId: string, tokenId: number) {
  const [sale] = await tx(lockSaleRow, [saleId, tokenId]);
  return sale ?? null;
}

export async function setSaleState(tx: RunInTransaction, saleId: string, state: string): Promise<void> {
  await tx(updateSaleState, [saleId, state]);
}

// A digital key has at most one open sale, and only its owner can have it.
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
 * Restores the previous state of a sale, unless its state has changed since. A sale that cannot be open again becomes
 * cancelled: another sale is open, or the seller no longer owns the digital key.
 */
export async function restoreSale(
  tx: RunInTransaction,
  { id, state, after }: Omit<SaleChange, 'kind'>,
): Promise<void> {
  await tx(restoreSaleOf, [id, state, after ?? null]);
}

const reassign = statement<{ before: number | null; after: number | null }>(
  'chain.reassign-primary',
  `WITH before AS (
     SELECT id, primary_token_id FROM holders WHERE id = $1 AND NOT EXISTS (
       SELECT FROM digital_keys WHERE token_id = primary_token_id AND holder_id = $1
     ) FOR UPDATE
   )
   UPDATE holders SET primary_token_id = (SELECT min(token_id) FROM digital_keys WHERE holder_id = $1)
   FROM before WHERE holders.id = before.id
   RETURNING before.primary_token_id AS before, holders.primary_token_id AS after`,
);

/** Assigns another primary digital key to a holder who no longer owns theirs or has none. Returns null if nothing changes. */
export async function reassignPrimary(tx: RunInTransaction, holderId: string): Promise<Change | null> {
  const [changed] = await tx(reassign, [holderId]);
  if (!changed || changed.before === changed.after) return null;
  return { kind: 'primary', holderId, ...changed };
}

const restorePrimaryOf = statement(
  'chain.restore-primary',
  `UPDATE holders SET primary_token_id = $2 WHERE id = $1 AND primary_token_id IS NOT DISTINCT FROM $3
     AND ($2::bigint IS NULL OR EXISTS (SELECT FROM digital_keys WHERE token_id = $2 AND holder_id = $1))`,
);

/** Restores the primary digital key, unless the holder has chosen another since. */
export async function restorePrimary(
  tx: RunInTransaction,
  { holderId, before, after }: Extract<Change, { kind: 'primary' }>,
): Promise<void> {
  await tx(restorePrimaryOf, [holderId, before, after]);
}

const deleteTransactionOf = statement('chain.delete-transaction', 'DELETE FROM transactions WHERE id = $1');
const clearPlace = statement(
  'chain.clear-place',
  `UPDATE transactions SET chain_id = NULL, tx_hash = NULL, log_index = NULL, block_number = NULL WHERE id = $1`,
);

export async function deleteTransaction(tx: RunInTransaction, id: string): Promise<void> {
  await tx(deleteTransactionOf, [id]);
}

export async function clearChainPlace(tx: RunInTransaction, id: string): Promise<void> {
  await tx(clearPlace, [id]);
}

const lockOwnSale = statement(
  'chain.lock-own-sale',
  'SELECT FROM sales WHERE token_id = $1 AND client_id IS NULL FOR UPDATE',
);
// Carts and orders imply a client. The own sale has one history entry from the start, and one more per change.
const findUse = statement<{ isUsed: boolean }>(
  'chain.find-use',
  `SELECT EXISTS (SELECT FROM clients WHERE token_id = $1)
     OR EXISTS (SELECT FROM api_keys WHERE token_id = $1)
     OR EXISTS (SELECT FROM webhooks WHERE token_id = $1)
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
 * Deletes a digital key whose mint was undone, unless it is in use. The caller has locked its row, so nothing new can refer to
 * it. The own sale can change without that lock, so it is locked here.
 */
export async function removeUnusedToken(tx: RunInTransaction, tokenId: number): Promise<void> {
  await tx(lockOwnSale, [tokenId]);
  const [use] = await tx(findUse, [tokenId]);
  if (use?.isUsed !== false) return;
  await tx(deleteHistoryOf, [tokenId]);
  await tx(deleteOwnSale, [tokenId]);
  await tx(deleteToken, [tokenId]);
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

/** Records the previous state, in case the block is reorganized. */
export async function recordChange(
  tx: RunInTransaction,
  chainId: number,
  blockNumber: number,
  change: Change,
): Promise<void> {
  await tx(insertChange, [chainId, blockNumber, JSON.stringify(change)]);
}

/** Deletes and returns the recorded changes of all blocks above this one, newest first. */
export async function takeChangesAbove(
  tx: RunInTransaction,
  chainId: number,
  blockNumber: number,
): Promise<Change[]> {
  return (await tx(takeChanges, [chainId, blockNumber])).map(({ change }) => change);
}
