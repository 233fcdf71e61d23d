import { type Statement, statement } from './statement.ts';

export const forceIndexScans = statement<never>(
  'planner.force-index-scans',
  `SELECT WHERE set_config('enable_seqscan', 'off', true) IS NULL OR set_config('enable_bitmapscan', 'off', true) IS NULL`,
);

export const forceBitmapScans = statement<never>(
  'planner.force-bitmap-scans',
  `SELECT WHERE set_config('enable_seqscan', 'off', true) IS NULL OR set_config('enable_indexscan', 'off', true) IS NULL
     OR set_config('enable_indexonlyscan', 'off', true) IS NULL`,
);

/**
 * Returns what runs before each execution of a statement, or null. PostgreSQL plans a prepared statement several times: for
 * its first executions, and again when statistics change. So the settings are made for each execution, not once for each
 * connection.
 */
export function findPlannerSettings({
  indexScansOnly,
  bitmapScansOnly,
}: Statement<unknown>): Statement<never> | null {
  if (indexScansOnly) return forceIndexScans;
  return bitmapScansOnly ? forceBitmapScans : null;
}
