import type { Database } from './database.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';

/**
 * SQL that gives, by state, how many there are of a kind: what was folded, and what came since. The token is an
 * expression.
 */
export function tallied(tokenId: string, kind: string): string {
  const where = `WHERE token_id = ${tokenId} AND kind = '${kind}'`;
  return `(
     SELECT state, sum(entries)::bigint AS entries FROM (
       SELECT state, entries FROM tallies ${where} UNION ALL SELECT state, entries FROM tally_changes ${where}
     ) AS both_kinds GROUP BY state
   )`;
}

// One process folds at a time, in the order of the keys.
const foldChanges = statement<{ count: number }>(
  'tallies.fold',
  `WITH turn AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock(hashtextextended('keyfront tallies', 0)) AS is_ours
   ), taken AS (
     DELETE FROM tally_changes WHERE id IN (
       SELECT id FROM tally_changes WHERE (SELECT is_ours FROM turn) ORDER BY id LIMIT 5000
     ) RETURNING *
   ), folded AS (
     INSERT INTO tallies AS tally (token_id, kind, state, entries)
     SELECT token_id, kind, state, sum(entries) FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (token_id, kind, state) DO UPDATE SET entries = tally.entries + excluded.entries
   )
   SELECT count(*) FROM taken`,
);

/** Folds the changes into the tallies, until nothing is left or it should come to an end. */
export async function foldTallies(database: Database, signal: AbortSignal): Promise<void> {
  const foldSome = async () => (await database.query(systemScope, foldChanges))[0]?.count ?? 0;
  while (!signal.aborted && (await foldSome()) > 0);
}
