import pg from 'pg';
import { errorCode } from '../error-code.ts';

/** The database cannot answer at the moment; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

// Connection exceptions, too many connections, the server stopping or starting, a statement over its time.
const passingStates = /^(08...|53[34]00|57P0[1-5]|57014)$/;
const brokenSocket = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
// pg gives no code to these.
const brokenConnection =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** Whether an error says that the database is away, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passingStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return brokenSocket.has(errorCode(error) ?? '') || brokenConnection.test(error.message);
}
