import { type Statement, statement } from './statement.ts';

const forceIndexScans = statement<never>(
  'planner.force-index-scans',
  `SELECT WHERE set_config('enable_seqscan', 'off', true) IS NULL OR set_config('enable_bitmapscan', 'off', true) IS NULL`,
);

const forceBitmapScans = statement<never>(
  'planner.force-bitmap-scans',
  `SELECT WHERE set_config('enable_seqscan', 'off', true) IS NULL OR set_config('enable_indexscan', 'off', true) IS NULL
     OR set_config('enable_indexonlyscan', 'off', true) IS NULL`,
);

export const forceGenericPlan = statement<never>(
  'planner.force-generic-plan',
  `SELECT WHERE set_config('plan_cache_mode', 'force_generic_plan', true) IS NULL`,
);

/** All of them. Each connection prepares them when it is opened. */
export const plannerSettings = [forceIndexScans, forceBitmapScans, forceGenericPlan];

/**
 * Returns what runs before each execution of a statement. PostgreSQL plans a prepared statement several times: for
 * its first executions, and again when statistics change. So the settings are made for each execution, not once for each
 * connection.
 */
export function findPlannerSettings({
  indexScansOnly,
  bitmapScansOnly,
  genericPlan,
  name,
}: Statement<unknown>): Statement<never>[] {
  const settings: Statement<never>[] = [];
  if (indexScansOnly) settings.push(forceIndexScans);
  if (bitmapScansOnly) settings.push(forceBitmapScans);
  // A statement without a name is planned for each execution in any case.
  if (genericPlan && name !== '') settings.push(forceGenericPlan);
  return settings;
}
