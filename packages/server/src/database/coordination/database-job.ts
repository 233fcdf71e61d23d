import { type PeriodicJob, runPeriodically } from '../../lib/run-periodically.ts';
import type { Database } from '../database.ts';

/** A job that every process runs at intervals, and that needs nothing but the database. */
export interface DatabaseJob {
  readonly everyMs: number;
  /** The warning in the log when a run fails. */
  readonly failureMessage: string;
  /** Should return soon after the signal is aborted. */
  readonly work: (database: Database, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Makes the work of a job from batches: runs them until one has nothing to do or the signal is aborted. Returns the sum of
 * their counts.
 */
export const repeatBatches =
  (runBatch: (database: Database) => Promise<{ readonly count: number }>) =>
  async (database: Database, signal: AbortSignal): Promise<number> => {
    let sum = 0;
    while (!signal.aborted) {
      const { count } = await runBatch(database);
      if (count === 0) break;
      sum += count;
    }
    return sum;
  };

/** Runs the job until it is stopped. */
export function startDatabaseJob(
  { everyMs, work }: DatabaseJob,
  database: Database,
  onError: (error: unknown) => void,
): PeriodicJob {
  return runPeriodically({ everyMs, onError, work: (signal) => work(database, signal) });
}
