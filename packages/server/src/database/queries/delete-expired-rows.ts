import { type DatabaseJob, repeatBatches } from '../coordination/database-job.ts';
import { query } from './query.ts';

interface ExpiringTable {
  readonly table: string;
  readonly primaryKey: readonly string[];
  /** The time that decides. It needs an index. The default is `expires_at`. */
  readonly column?: string;
  /** How long a row is kept after that time, as an interval of PostgreSQL. The default is not at all. */
  readonly keptFor?: string;
  /** The default is a minute. */
  readonly everyMs?: number;
  readonly failureMessage: string;
}

/** Creates the job that deletes the expired rows of a table. */
export function deleteExpiredRows({
  table,
  primaryKey,
  column = 'expires_at',
  keptFor = '0',
  everyMs = 60_000,
  failureMessage,
}: ExpiringTable): DatabaseJob {
  const isDead = primaryKey.map((key) => `${table}.${key} = dead.${key}`).join(' AND ');
  const deleteBatch = query<{ count: number }>(
    `${table}.delete-expired`,
    // SKIP LOCKED: other processes may delete at the same time.
    `WITH dead AS MATERIALIZED (
       SELECT ${primaryKey.join(', ')} FROM ${table} WHERE ${column} <= now() - interval '${keptFor}'
       ORDER BY ${column} LIMIT 10000 FOR UPDATE SKIP LOCKED
     ), deleted AS (
       DELETE FROM ${table} USING dead WHERE ${isDead} RETURNING 1
     )
     SELECT count(*) FROM deleted`,
  ).getAsSystem(() => []);
  return { everyMs, failureMessage, work: repeatBatches(deleteBatch) };
}
