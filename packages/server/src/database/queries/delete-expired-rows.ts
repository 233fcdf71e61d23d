import { type DatabaseJob, repeatBatches } from '../coordination/database-job.ts';
import { query } from './query.ts';

/** Creates the job that deletes the rows of a table whose `expires_at` has passed, once a minute. */
export function deleteExpiredRows(
  table: string,
  primaryKey: readonly string[],
  failureMessage: string,
): DatabaseJob {
  const isDead = primaryKey.map((column) => `${table}.${column} = dead.${column}`).join(' AND ');
  const deleteBatch = query<{ count: number }>(
    `${table}.delete-expired`,
    // SKIP LOCKED: other processes may delete at the same time.
    `WITH dead AS MATERIALIZED (
       SELECT ${primaryKey.join(', ')} FROM ${table} WHERE expires_at <= now()
       ORDER BY expires_at LIMIT 10000 FOR UPDATE SKIP LOCKED
     ), deleted AS (
       DELETE FROM ${table} USING dead WHERE ${isDead} RETURNING 1
     )
     SELECT count(*) FROM deleted`,
  ).getAsSystem(() => []);
  return { everyMs: 60_000, failureMessage, work: repeatBatches(deleteBatch) };
}
