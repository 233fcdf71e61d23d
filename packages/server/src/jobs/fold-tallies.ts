import type { Database } from '../database/database.ts';
import { foldTallies } from '../database/tallies.ts';
import { foldOrderTallies } from '../resources/orders/figures/order-figures.ts';
import { type PeriodicJob, runPeriodically } from './run-periodically.ts';

const everyMs = 2_000;

/** Keeps tallies short to read: folds what orders, sales and carts have left for them since the last time. */
export function foldAllTallies(database: Database, onError: (error: unknown) => void): PeriodicJob {
  return runPeriodically({
    everyMs,
    onError,
    work: async (signal) => {
      await foldOrderTallies(database, signal);
      await foldTallies(database, signal);
    },
  });
}
