import type { Database } from '../database/database.ts';
import { forgetDeadNonces } from '../resources/sign-in/nonces.ts';
import { type PeriodicJob, runPeriodically } from './run-periodically.ts';

const everyMs = 60_000;

/** Forgets, minute by minute, the nonces with which nobody signed in. */
export function deleteExpiredNonces(database: Database, onError: (error: unknown) => void): PeriodicJob {
  return runPeriodically({ everyMs, onError, work: (signal) => forgetDeadNonces(database, signal) });
}
