import type { Database } from '../database.ts';
import { statement } from '../statements/statement.ts';
import { systemScope } from '../transactions/scope.ts';

/**
 * Returns a subquery with the number of entries of a kind by state: the compacted counters plus the changes since.
 * `tokenId` is an SQL expression. The statement that contains it needs `indexScansOnly`, because the changes are inserted
 * and deleted all the time.
 */
export function selectCounters(tokenId: string, kind: string): string {
  const where = `WHERE token_id = ${tokenId} AND kind = '${kind}'`;
  return `(
     SELECT state, sum(entries)::bigint AS entries FROM (
       SELECT state, entries FROM counters ${where} UNION ALL SELECT state, entries FROM counter_changes ${where}
     ) AS both_kinds GROUP BY state
   )`;
}

// The advisory lock lets one process compact at a time. Rows are updated in the order of their keys.
const compactChanges = statement<{ count: number }>(
  'counters.compact',
  `WITH turn AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock(hashtextextended('keyfront counters', 0)) AS is_ours
   ), taken AS (
     DELETE FROM counter_changes WHERE id IN (
       SELECT id FROM counter_changes WHERE (SELECT is_ours FROM turn) ORDER BY id LIMIT 5000
     ) RETURNING *
   ), compacted AS (
     INSERT INTO counters AS counter (token_id, kind, state, entries)
     SELECT token_id, kind, state, sum(entries) FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (token_id, kind, state) DO UPDATE SET entries = counter.entries + excluded.entries
   )
   SELECT count(*) FROM taken`,
  { indexScansOnly: true },
);

/** Compacts changes into the counters until none are left or the signal is aborted. */
export async function compactCounters(database: Database, signal: AbortSignal): Promise<void> {
  const compactBatch = async () => (await database.query(systemScope, compactChanges))[0]?.count ?? 0;
  while (!signal.aborted && (await compactBatch()) > 0);
}
