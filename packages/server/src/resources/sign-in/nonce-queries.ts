import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

/** A nonce and what it is bound to. */
export interface BoundNonce {
  readonly nonce: string;
  /** In lower case. */
  readonly walletAddress: string;
  readonly type: string;
}

const insert = statement<{ createdAt: string; expiresAt: string }>(
  'sign-in.insert-nonce',
  `INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type, email) VALUES ($1, $2, $3, $4)
   RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
);

const isAlive = 'nonce_hash = $1 AND wallet_address = $2 AND type = $3 AND expires_at > now()';
const find = statement<object>('sign-in.find-nonce', `SELECT FROM sign_in_nonces WHERE ${isAlive}`, {
  indexScansOnly: true,
});
const consume = statement<{ email: string | null }>(
  'sign-in.consume-nonce',
  `DELETE FROM sign_in_nonces WHERE ${isAlive} RETURNING email`,
  { indexScansOnly: true },
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
