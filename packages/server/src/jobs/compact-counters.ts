import { foldTallies } from '../database/counters.ts';
import type { Database } from '../database/database.ts';
import { foldOrderTallies } from '../resources/orders/stats/order-stats-rules.ts';
import { type PeriodicJob, runPeriodically } from './run-periodically.ts';

const everyMs = 2_000;

/** Keeps tallies short to read: folds what orders, sales and carts have left for them since the last time. */
export function compactAllCounters(database: Database, onError: (error: unknown) => void): PeriodicJob {
  return runPeriodically({
    everyMs,
    onError,
    work: async (signal) => {
      await foldOrderTallies(database, signal);
      await foldTallies(database, signal);
    },
  });
}
