import type { EndedSessions, Session, SessionEndQuery, SessionList } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { WalletScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import {
  endOldestSessions,
  endOwnSession,
  endSessionRow,
  endSessionRows,
  findRepeatedSession,
  insertSession,
  listSessions,
  type NewSession,
  type SessionRecord,
  sessionExists,
} from './session-queries.ts';

// Sign-in needs this query; nouns import only the rules of other nouns.
export { findRepeatedSession, type SessionRecord };

/** Bounds what a wallet that signs in again and again can store. */
const maxLiveSessions = 100;

/** Begins a session, in the transaction that signs the wallet in. Ends the oldest sessions of a wallet that has too many. */
export async function beginSession(tx: RunInTransaction, session: NewSession): Promise<SessionRecord> {
  const { id, others } = await insertSession(tx, session);
  if (others >= maxLiveSessions) await endOldestSessions(tx, session.walletAddress, maxLiveSessions);
  const { role, domain, createdAt, expiresAt } = session;
  return { id, role, domain, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Lists the live sessions of the wallet. There are few, so the list has no pages. */
export async function getSessionList(database: Database, scope: WalletScope): Promise<SessionList> {
  const sessions = await listSessions(database, scope);
  return { sessions: sessions.map((session) => toSession(session, scope)) };
}

/** Ends the session of the token that was sent. */
export async function signOut(tx: RunInTransaction, scope: WalletScope): Promise<EndedSessions> {
  return { endedCount: await endOwnSession(tx, scope.sessionId) };
}

/** Ends one session of the wallet. */
export async function endSession(database: Database, scope: WalletScope, id: string): Promise<Session> {
  const ended = await endSessionRow(database, scope, id);
  return toSession(ended ?? (await throwSessionNotOwned(database, id)), scope);
}

/** Ends all sessions of the wallet. */
export async function endSessions(
  database: Database,
  scope: WalletScope,
  { keepCurrent }: SessionEndQuery,
): Promise<EndedSessions> {
  const exceptId = keepCurrent === 'true' ? scope.sessionId : null;
  return { endedCount: await endSessionRows(database, scope, exceptId) };
}

async function throwSessionNotOwned(database: Database, id: string): Promise<never> {
  if (await sessionExists(database, id))
    throw new ApiError('NOT_OWNED', { message: 'The session belongs to another holder' });
  throw notFound('Session');
}

function toSession(session: SessionRecord, { sessionId }: WalletScope): Session {
  return { ...session, isCurrent: session.id === sessionId };
}
