import { statement } from '@keyfront/postgres';
import type { Session } from '@keyfront/protocol';
import { waitForCommittedChanges, waitUntilAcknowledged } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import type { Scope, WalletScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

export type SessionRecord = Omit<Session, 'isCurrent'>;

export interface NewSession {
  /** In lower case. */
  readonly walletAddress: string;
  readonly role: Session['role'];
  readonly domain: string;
  /** SHA-256 of the signed message and its signature. */
  readonly signInHash: Buffer;
  /** Until when the same message and signature give this session again. */
  readonly repeatableUntil: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const columns = `id, role, domain, created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Whether a session has neither expired nor been ended. */
export const isSessionLive = query<object>(
  'sessions.live',
  'SELECT FROM sessions WHERE id = $1 AND expires_at > now()',
  { indexScansOnly: true },
).hasAsSystem((id: string) => [id]);

const lockWallet = statement(
  'sessions.lock-wallet',
  `SELECT pg_advisory_xact_lock(hashtextextended('keyfront sessions of ' || $1, 0))`,
);
// The count is that before the insertion.
const insert = statement<{ id: string; others: number }>(
  'sessions.insert',
  `INSERT INTO sessions (wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   RETURNING id, (SELECT count(*) FROM sessions WHERE wallet_address = $1 AND expires_at > now()) AS others`,
);

/**
 * Inserts a session, and tells how many other live ones the wallet has. No other transaction adds one until this one
 * has ended.
 */
export async function insertSession(
  tx: RunInTransaction,
  session: NewSession,
): Promise<{ id: string; others: number }> {
  const { walletAddress, role, domain, signInHash, repeatableUntil, createdAt, expiresAt } = session;
  const values = [walletAddress, role, domain, signInHash, repeatableUntil, createdAt, expiresAt];
  // One pipelined query. The insertion runs after the lock is granted, so it counts the sessions of transactions that
  // held it. The wallet of an administrator has no row that could be locked.
  const [, [inserted]] = await Promise.all([tx(lockWallet, [walletAddress]), tx(insert, values)]);
  if (!inserted) throw new Error('The session was not stored');
  return inserted;
}

/** Ends the oldest sessions of a wallet, so that this many are left. */
export const endOldestSessions = query(
  'sessions.end-oldest',
  `UPDATE sessions SET expires_at = now() WHERE id IN (
     SELECT id FROM sessions WHERE wallet_address = $1 AND expires_at > now()
     ORDER BY created_at DESC, id DESC OFFSET $2
   )`,
).run((walletAddress: string, keepCount: number) => [walletAddress, keepCount]);

/** Finds the live session that this message and signature have begun, while it may be asked for again. */
export const findRepeatedSession = query<SessionRecord>(
  'sessions.find-repeated',
  `SELECT ${columns} FROM sessions
   WHERE sign_in_hash = $1 AND wallet_address = $2 AND repeatable_until > now() AND expires_at > now()`,
  { indexScansOnly: true },
).findAsSystem((signInHash: Buffer, walletAddress: string) => [signInHash, walletAddress]);

/** Lists the live sessions of the wallet, newest first. */
export const listSessions = query<SessionRecord>(
  'sessions.list',
  `SELECT ${columns} FROM sessions WHERE wallet_address = $1 AND expires_at > now() ORDER BY created_at DESC, id DESC`,
).listInScope((scope: WalletScope) => [scope.walletAddress]);

/**
 * Whether a session is live when its row is locked. Another transaction may have begun later than this one and ended
 * the session first, so its end may be after `now()`. It is never after `clock_timestamp()`, because it is rounded down
 * to the precision of the column.
 */
const isLiveOnceLocked = 'expires_at > clock_timestamp()';
const endNow = `UPDATE sessions SET expires_at = date_trunc('milliseconds', now())`;

const endOwn = statement<{ id: string }>(
  'sessions.end-own',
  `${endNow} WHERE id = $1 AND ${isLiveOnceLocked} RETURNING id`,
);

/**
 * Ends the session of the token, in a transaction, and returns how many it has ended: none if another request has. The
 * caller waits until every process has noticed it.
 */
export async function endOwnSession(tx: RunInTransaction, sessionId: string): Promise<number> {
  return (await tx(endOwn, [sessionId])).length;
}

const endOne = statement<SessionRecord & { change: number }>(
  'sessions.end-one',
  `UPDATE sessions SET expires_at = least(expires_at, now()) WHERE id = $1 AND wallet_address = $2
   RETURNING ${columns}, currval('key_changes') AS change`,
);

/** Ends a session, and waits until no process accepts its token. Returns null if it is not one of the wallet. */
export async function endSessionRow(
  database: Database,
  scope: WalletScope,
  id: string,
): Promise<SessionRecord | null> {
  const [ended] = await database.query(scope, endOne, [id, scope.walletAddress]);
  if (!ended) return null;
  const { change, ...session } = ended;
  await waitUntilAcknowledged(database, change);
  return session;
}

const endAll = statement<{ change: number }>(
  'sessions.end-all',
  `${endNow} WHERE wallet_address = $1 AND ${isLiveOnceLocked} AND id IS DISTINCT FROM $2::uuid
   RETURNING currval('key_changes') AS change`,
);

/** Ends all sessions of the wallet except one, and waits until no process accepts their tokens. Returns their number. */
export async function endSessionRows(
  database: Database,
  scope: Pick<WalletScope, 'walletAddress'> & Scope,
  exceptId: string | null,
): Promise<number> {
  const ended = await database.query(scope, endAll, [scope.walletAddress, exceptId]);
  const [first] = ended;
  if (first) await waitUntilAcknowledged(database, first.change);
  // Another request may have ended them at the same time, and still wait for the processes.
  else await waitForCommittedChanges(database);
  return ended.length;
}

/** Whether the session exists, in any scope. */
export const sessionExists = rowExists('sessions');
