import type { Database } from '../database/database.ts';
import { foldOrderTallies } from '../resources/orders/figures/order-figures.ts';
import { type PeriodicJob, runPeriodically } from './run-periodically.ts';

const everyMs = 2_000;

/** Keeps the tallies of orders short to read: folds what orders have left for them since the last time. */
export function foldTallies(database: Database, onError: (error: unknown) => void): PeriodicJob {
  return runPeriodically({ everyMs, onError, work: (signal) => foldOrderTallies(database, signal) });
}
