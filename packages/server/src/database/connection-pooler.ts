import pg from 'pg';
import { StartError } from '../start-error.ts';
import { describeAddress } from './connection-url.ts';

/** Thrown when a connection did not get the session settings that it asked for. */
export class SessionSettingsIgnored extends Error {
  override name = 'SessionSettingsIgnored';

  constructor() {
    super('The session settings of a database connection were ignored');
  }
}

const protocolViolation = '08P01';

/**
 * Explains a failed connection if the reason is a connection pooler such as PgBouncer: it refuses or ignores the settings of
 * a session. Returns null for any other reason.
 */
export function explainPooler(url: string, error: unknown): StartError | null {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const isRefusal =
    reason instanceof pg.DatabaseError &&
    reason.code === protocolViolation &&
    reason.message.includes('startup parameter');
  if (!isRefusal && !(reason instanceof SessionSettingsIgnored)) return null;
  return new StartError(
    `The database at ${describeAddress(url)} is reached through a connection pooler, such as PgBouncer, which does not ` +
      'keep session settings: set DATABASE_DIRECT_URL to the address of PostgreSQL itself (and DATABASE_OWNER_URL too, if ' +
      'it is set).',
    { cause: error },
  );
}
