import { repeatBatches } from '../coordination/database-job.ts';
import { query } from './query.ts';

/**
 * Returns a subquery with the number of entries of kinds by state: the compacted counters plus the changes since.
 * `tokenId` is an SQL expression. The statement that contains it needs `indexScansOnly`, because the changes are inserted
 * and deleted all the time.
 */
export function selectCounters(tokenId: string, ...kinds: readonly string[]): string {
  const where = `WHERE token_id = ${tokenId} AND kind IN (${kinds.map((kind) => `'${kind}'`).join()})`;
  return `(
     SELECT state, sum(entries)::bigint AS entries FROM (
       SELECT state, entries FROM counters ${where} UNION ALL SELECT state, entries FROM counter_changes ${where}
     ) AS both_kinds GROUP BY state
   )`;
}

interface CounterTable {
  /** The name of the statement. */
  readonly name: string;
  /** The table of the counters, and that of the changes, which has the same columns and an id. */
  readonly counters: string;
  readonly changes: string;
  /** The columns that identify a counter, and those that are added up. */
  readonly keys: readonly string[];
  readonly sums: readonly string[];
  /** What the changes that were `taken` add to, in SQL. The default is the counters that they name. */
  readonly source?: string;
}

/** Makes a function that compacts changes into counters until none are left or the signal is aborted. */
export function compactInto({ name, counters, changes, keys, sums, source = 'taken' }: CounterTable) {
  const columns = keys.join(', ');
  const add = sums.map((sum) => `${sum} = counter.${sum} + excluded.${sum}`).join(', ');
  const compactBatch = query<{ count: number }>(
    name,
    // The advisory lock lets one process compact at a time. Rows are updated in the order of their keys.
    `WITH turn AS MATERIALIZED (
       SELECT pg_try_advisory_xact_lock(hashtextextended('keyfront ${counters.replaceAll('_', ' ')}', 0)) AS is_ours
     ), taken AS (
       DELETE FROM ${changes} WHERE id IN (
         SELECT id FROM ${changes} WHERE (SELECT is_ours FROM turn) ORDER BY id LIMIT 5000
       ) RETURNING *
     ), compacted AS (
       INSERT INTO ${counters} AS counter (${columns}, ${sums.join(', ')})
       SELECT ${columns}, ${sums.map((sum) => `sum(${sum})`).join(', ')} FROM ${source}
       GROUP BY ${columns} ORDER BY ${columns}
       ON CONFLICT (${columns}) DO UPDATE SET ${add}
     )
     SELECT count(*) FROM taken`,
    { indexScansOnly: true },
  ).getAsSystem(() => []);
  return repeatBatches(compactBatch);
}

/** Compacts the counters of sales and carts. */
export const compactCounters = compactInto({
  name: 'counters.compact',
  counters: 'counters',
  changes: 'counter_changes',
  keys: ['token_id', 'kind', 'state'],
  sums: ['entries'],
});
