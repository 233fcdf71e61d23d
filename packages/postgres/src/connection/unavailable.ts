import pg from 'pg';

/** The database is not reachable, too busy, or accepts no writes at the moment. The same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/**
 * 08: connection failures. 25006: the server is a standby or read-only. 53: no disk space, memory or connections left.
 * 57P01 to 57P05: the server starts or stops. 57014: a statement exceeded its timeout. 58: failed reads and writes of files.
 */
const transientStates = /^(08...|25006|53...|57P0[1-5]|57014|58000|58030)$/;
/** The server stops, or is no longer the primary. The other connections to it are of no use either. */
const failoverStates = /^(25006|57P0[1-5])$/;
const socketErrors = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
// pg throws these without a code.
const readTimeout = 'Query read timeout';
const connectionErrors =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired)/;

/** Returns whether an error means that the database is unavailable, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return socketErrors.has('code' in error ? String(error.code) : '') || connectionErrors.test(error.message);
}

/** Returns whether an error means that all connections to the server should be replaced. */
export function isFailover(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return failoverStates.test(error.code ?? '');
  return error instanceof Error && error.message === readTimeout;
}
