import { type DatabaseJob, repeatBatches } from '../coordination/database-job.ts';
import { query } from './query.ts';

interface ExpiringTable {
  readonly table: string;
  readonly primaryKey: readonly string[];
  /** The rows that are over, in SQL. It must fit an index on `column`. */
  readonly column?: string;
  readonly isOver?: string;
  readonly everyMs?: number;
  readonly failureMessage: string;
}

/** Creates the job that deletes the rows of a table that are over. The default is once a minute, by `expires_at`. */
export function deleteExpiredRows({
  table,
  primaryKey,
  column = 'expires_at',
  isOver = `${column} <= now()`,
  everyMs = 60_000,
  failureMessage,
}: ExpiringTable): DatabaseJob {
  const isDead = primaryKey.map((key) => `${table}.${key} = dead.${key}`).join(' AND ');
  const deleteBatch = query<{ count: number }>(
    `${table}.delete-expired`,
    // SKIP LOCKED: other processes may delete at the same time.
    `WITH dead AS MATERIALIZED (
       SELECT ${primaryKey.join(', ')} FROM ${table} WHERE ${isOver}
       ORDER BY ${column} LIMIT 10000 FOR UPDATE SKIP LOCKED
     ), deleted AS (
       DELETE FROM ${table} USING dead WHERE ${isDead} RETURNING 1
     )
     SELECT count(*) FROM deleted`,
  ).getAsSystem(() => []);
  return { everyMs, failureMessage, work: repeatBatches(deleteBatch) };
}
