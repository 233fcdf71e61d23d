import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

/** Names a kept answer: whose it is, and under which of his keys. */
export interface AnswerName {
  readonly credential: string;
  readonly keyHash: Buffer;
}

export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly statusCode: number;
  readonly body: Buffer;
}

// The lock goes with the transaction, so a process that dies leaves nothing behind that would have to be cleared up.
const lock = statement<{ isClaimed: boolean }>(
  'idempotency.lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0)) AS "isClaimed"`,
);
const find = statement<KeptAnswer>(
  'idempotency.find',
  `SELECT request_hash AS "requestHash", status_code AS "statusCode", body FROM idempotency_keys
   WHERE credential = $1 AND key_hash = $2 AND expires_at > now()`,
);

/** The answer that is kept under this name; else whether the name is this transaction's, until its end. */
export async function claim(
  run: RunInTransaction,
  { credential, keyHash }: AnswerName,
): Promise<KeptAnswer | boolean> {
  const values = [credential, keyHash];
  // In one flight. The look comes after the lock, so it sees what the last one who had the lock has left.
  const [[locked], [kept]] = await Promise.all([run(lock, values), run(find, values)]);
  return kept ?? locked?.isClaimed ?? false;
}

// What is in the way has expired: an answer that still holds would have been found.
const keepAnswer = statement(
  'idempotency.keep',
  `INSERT INTO idempotency_keys (credential, key_hash, wallet_address, request_hash, status_code, body)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (credential, key_hash) DO UPDATE SET wallet_address = excluded.wallet_address,
     request_hash = excluded.request_hash, status_code = excluded.status_code, body = excluded.body,
     created_at = excluded.created_at, expires_at = excluded.expires_at`,
);

/** Keeps an answer together with the work that it is about. */
export function keep(
  run: RunInTransaction,
  name: AnswerName,
  walletAddress: string,
  { requestHash, statusCode, body }: KeptAnswer,
): void {
  run.atCommit(keepAnswer, [name.credential, name.keyHash, walletAddress, requestHash, statusCode, body]);
}

const deleteExpired = statement<{ count: number }>(
  'idempotency.delete-expired',
  `WITH dead AS (
     DELETE FROM idempotency_keys WHERE (credential, key_hash) IN (
       SELECT credential, key_hash FROM idempotency_keys WHERE expires_at <= now()
       ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
     ) RETURNING true
   )
   SELECT count(*) FROM dead`,
);

/** Removes some answers whose time is over; says how many. */
export async function forgetSomeExpiredAnswers(database: Database): Promise<number> {
  const [row] = await database.query(systemScope, deleteExpired);
  return row?.count ?? 0;
}
