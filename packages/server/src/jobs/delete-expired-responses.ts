import type { Database } from '../database/database.ts';
import { deleteExpiredBatch } from '../pipeline/idempotency/idempotency-queries.ts';
import { type PeriodicJob, runPeriodically } from './run-periodically.ts';

const everyMs = 60_000;

/** Forgets, minute by minute, the answers to idempotent requests whose time is over. */
export function deleteExpiredResponses(database: Database, onError: (error: unknown) => void): PeriodicJob {
  return runPeriodically({
    everyMs,
    onError,
    work: async (signal) => {
      while (!signal.aborted && (await deleteExpiredBatch(database)) > 0);
    },
  });
}
