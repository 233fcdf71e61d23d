import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** A nonce with the wallet, type and domain it is bound to. */
export interface BoundNonce {
  readonly nonce: string;
  /** In lower case. */
  readonly walletAddress: string;
  readonly type: string;
  /** Null: that of the service itself. */
  readonly domain: string | null;
}

const insert = statement<{ createdAt: string; expiresAt: string }>(
  'sign-in.insert-nonce',
  `INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type, domain, email) VALUES ($1, $2, $3, $4, $5)
   RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
);

const isValid = `nonce_hash = $1 AND wallet_address = $2 AND type = $3 AND domain IS NOT DISTINCT FROM $4
  AND expires_at > now()`;
const find = statement<object>('sign-in.find-nonce', `SELECT FROM sign_in_nonces WHERE ${isValid}`, {
  indexScansOnly: true,
});
const consume = statement<{ email: string | null; expiresAt: string }>(
  'sign-in.consume-nonce',
  `DELETE FROM sign_in_nonces WHERE ${isValid} RETURNING email, expires_at AS "expiresAt"`,
  { indexScansOnly: true },
);

// SKIP LOCKED: other processes may delete at the same time.
const deleteExpired = statement<{ count: number }>(
  'sign-in.delete-expired-nonces',
  `WITH dead AS MATERIALIZED (
     SELECT nonce_hash FROM sign_in_nonces WHERE expires_at <= now()
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
   ), deleted AS (
     DELETE FROM sign_in_nonces USING dead WHERE sign_in_nonces.nonce_hash = dead.nonce_hash RETURNING 1
   )
   SELECT count(*) FROM deleted`,
);

/** Stores a nonce for five minutes, by the clock of the database. */
export async function insertNonce(
  database: Database,
  { email, ...nonce }: BoundNonce & { readonly email: string | null },
): Promise<{ createdAt: string; expiresAt: string }> {
  const [row] = await database.query(systemScope, insert, [...toKeyValues(nonce), email]);
  if (!row) throw new Error('The nonce was not stored');
  return row;
}

/** Whether the nonce is valid for this wallet, type and domain. Does not consume it. */
export async function isNonceValid(database: Database, nonce: BoundNonce): Promise<boolean> {
  return (await database.query(systemScope, find, toKeyValues(nonce))).length > 0;
}

/** Consumes the nonce. Of concurrent callers, one gets the stored e-mail; the others get null. */
export async function consumeNonce(
  tx: RunInTransaction,
  nonce: BoundNonce,
): Promise<{ email: string | null; expiresAt: string } | null> {
  const [row] = await tx(consume, toKeyValues(nonce));
  return row ?? null;
}

/** Deletes one batch of expired nonces and returns their number. */
export async function deleteExpiredNonceBatch(database: Database, limit: number): Promise<number> {
  const [row] = await database.query(systemScope, deleteExpired, [limit]);
  return row?.count ?? 0;
}

function toKeyValues({ nonce, walletAddress, type, domain }: BoundNonce): unknown[] {
  return [hash(nonce), walletAddress, type, domain];
}

function hash(nonce: string): Buffer {
  return createHash('sha256').update(nonce).digest();
}
