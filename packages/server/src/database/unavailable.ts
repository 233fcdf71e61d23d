import pg from 'pg';
import { errorCode } from '../error-code.ts';

/** The database is not reachable or too busy at the moment. The same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

// Connection failures, too many connections, a server that starts or stops, a statement that exceeded its timeout.
const transientStates = /^(08...|53[34]00|57P0[1-5]|57014)$/;
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
// pg throws these without a code.
const connectionErrors =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** Returns whether an error means that the database is unavailable, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return socketErrors.has(errorCode(error) ?? '') || connectionErrors.test(error.message);
}
