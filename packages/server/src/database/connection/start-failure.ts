import { DatabaseUnavailable, describeAddress, describeError, isUnavailable } from '@keyfront/postgres';
import pg from 'pg';
import { StartError } from '../../lib/errors/start-error.ts';

/** Thrown when a connection did not get the session settings that it asked for. */
export class SessionSettingsIgnored extends Error {
  override name = 'SessionSettingsIgnored';

  constructor() {
    super('The session settings of a database connection were ignored');
  }
}

const protocolViolation = '08P01';

/** Explains why the service cannot start on a database. Returns any other error unchanged. */
export function explainStartFailure(url: string, error: unknown): unknown {
  const reason = error instanceof DatabaseUnavailable && error.cause ? error.cause : error;
  if (isPooler(reason)) {
    return new StartError(
      `The database at ${describeAddress(url)} is reached through a connection pooler, such as PgBouncer, which does ` +
        'not keep session settings: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and DATABASE_OWNER_URL ' +
        'too if it is set.',
      { cause: error },
    );
  }
  if (error instanceof DatabaseUnavailable || isUnavailable(reason)) return explainUnreachable(url, reason);
  return error;
}

/** Explains a connection that failed, whatever the reason was. */
export function explainConnectFailure(url: string, error: unknown): unknown {
  const explained = explainStartFailure(url, error);
  return explained instanceof StartError ? explained : explainUnreachable(url, error);
}

function explainUnreachable(url: string, reason: unknown): StartError {
  return new StartError(
    `The database at ${describeAddress(url)} cannot be used (${describeError(reason)}): check DATABASE_URL and that the ` +
      'server is running.',
    { cause: reason },
  );
}

/** PgBouncer refuses the settings of a session, or ignores them if it is configured to do so. */
function isPooler(reason: unknown): boolean {
  if (reason instanceof SessionSettingsIgnored) return true;
  return (
    reason instanceof pg.DatabaseError &&
    reason.code === protocolViolation &&
    reason.message.includes('startup parameter')
  );
}
