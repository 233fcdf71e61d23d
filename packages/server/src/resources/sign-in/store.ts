import { createHash } from 'node:crypto';
import type { Database, RunInTransaction } from '../../database/database.ts';
import { systemScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';

/** A nonce and what it is bound to. */
export interface BoundNonce {
  readonly nonce: string;
  /** In lower case. */
  readonly walletAddress: string;
  readonly type: string;
}

export interface HolderRecord {
  readonly id: string;
  readonly email: string | null;
  readonly primaryTokenId: number;
  readonly tokenIds: readonly number[];
}

const insert = statement<{ createdAt: string; expiresAt: string }>(
  'sign-in.insert-nonce',
  `INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type, email) VALUES ($1, $2, $3, $4)
   RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
);

const isAlive = 'nonce_hash = $1 AND wallet_address = $2 AND type = $3 AND expires_at > now()';
const find = statement<object>('sign-in.find-nonce', `SELECT FROM sign_in_nonces WHERE ${isAlive}`);
const consume = statement<{ email: string | null }>(
  'sign-in.consume-nonce',
  `DELETE FROM sign_in_nonces WHERE ${isAlive} RETURNING email`,
);

// Rows that another process is deleting are left to it.
const deleteDead = statement<{ count: number }>(
  'sign-in.delete-dead-nonces',
  `WITH dead AS MATERIALIZED (
     SELECT nonce_hash FROM sign_in_nonces WHERE expires_at <= now()
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
   ), deleted AS (
     DELETE FROM sign_in_nonces USING dead WHERE sign_in_nonces.nonce_hash = dead.nonce_hash RETURNING 1
   )
   SELECT count(*) FROM deleted`,
);

// Locked against changing hands until the primary digital key is chosen among them.
const lockTokens = statement<{ holderId: string; tokenId: number }>(
  'sign-in.lock-tokens',
  `SELECT holders.id AS "holderId", digital_keys.token_id AS "tokenId"
   FROM holders JOIN digital_keys ON digital_keys.holder_id = holders.id
   WHERE holders.wallet_address = $1 ORDER BY digital_keys.token_id FOR KEY SHARE OF digital_keys`,
);
const enter = statement<object>(
  'sign-in.enter',
  `UPDATE holders SET email = coalesce($2, email), primary_token_id = coalesce(primary_token_id, $3)
   WHERE id = $1 AND (email IS DISTINCT FROM coalesce($2, email) OR primary_token_id IS NULL)`,
);
const findHolder = statement<{ email: string | null; primaryTokenId: number }>(
  'sign-in.find-holder',
  'SELECT email, primary_token_id AS "primaryTokenId" FROM holders WHERE id = $1',
);

/** Keeps a nonce until it is used or five minutes have passed. The clock of the database is the one that counts. */
export async function insertNonce(
  database: Database,
  { nonce, walletAddress, type, email }: BoundNonce & { readonly email: string | null },
): Promise<{ createdAt: string; expiresAt: string }> {
  const [row] = await database.query(systemScope, insert, [hash(nonce), walletAddress, type, email]);
  if (!row) throw new Error('The nonce was not stored');
  return row;
}

/** Whether the nonce is still good for this wallet and type. Leaves it as it is. */
export async function isNonceAlive(database: Database, nonce: BoundNonce): Promise<boolean> {
  return (await database.query(systemScope, find, keyOf(nonce))).length > 0;
}

/** Uses the nonce up: of any number of concurrent callers one gets what was kept with it, the others null. */
export async function consumeNonce(
  run: RunInTransaction,
  nonce: BoundNonce,
): Promise<{ email: string | null } | null> {
  const [row] = await run(consume, keyOf(nonce));
  return row ?? null;
}

/**
 * The holder who comes in with this wallet, or null when it owns no digital key. Sets the e-mail where one was given,
 * and makes the first digital key the primary one where there is none.
 */
export async function enterHolder(
  run: RunInTransaction,
  walletAddress: string,
  email: string | null,
): Promise<HolderRecord | null> {
  const tokens = await run(lockTokens, [walletAddress]);
  const [first] = tokens;
  if (!first) return null;
  await run(enter, [first.holderId, email, first.tokenId]);
  const [holder] = await run(findHolder, [first.holderId]);
  return holder ? { id: first.holderId, ...holder, tokenIds: tokens.map(({ tokenId }) => tokenId) } : null;
}

/** Deletes some of the nonces whose time is over, and says how many. */
export async function deleteDeadNonces(database: Database, limit: number): Promise<number> {
  const [row] = await database.query(systemScope, deleteDead, [limit]);
  return row?.count ?? 0;
}

function keyOf({ nonce, walletAddress, type }: BoundNonce): unknown[] {
  return [hash(nonce), walletAddress, type];
}

function hash(nonce: string): Buffer {
  return createHash('sha256').update(nonce).digest();
}
