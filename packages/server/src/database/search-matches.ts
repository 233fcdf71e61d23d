import type { Database } from './database.ts';
import { type Scope, systemScope } from './scope.ts';
import { statement } from './statement.ts';

/** The ids of matching rows, as a PostgreSQL array of uuid: they are sent back to PostgreSQL without being read here. */
export type MatchingIds = string;

/** The index holds sequences of three characters. Shorter texts have none. */
const minIndexedLength = 3;
/** Beyond this many matches, reading all rows of the digital key takes no longer than reading the matching ones. */
const maxMatches = 5_000;

/**
 * Finds the rows that contain a text, by the trigram indices. Each entry of `selections` is a SELECT of ids. Returns null if
 * the text is too short for the index or matches too many rows: then the caller must search by ILIKE.
 *
 * PostgreSQL uses no index for ILIKE under row-level security. ILIKE is not leakproof, so the policy has to be evaluated
 * for each row before it. This therefore runs in the scope of the system and returns nothing but ids. The selections must
 * contain the condition of the digital key, and the rows must be read in the scope of the caller.
 */
export async function findMatches<Name extends string>(
  database: Database,
  scope: Scope,
  text: string,
  selections: Partial<Readonly<Record<Name, string>>>,
  values: unknown[],
): Promise<Partial<Record<Name, MatchingIds>> | null> {
  if ([...text].length < minIndexedLength) return null;
  const columns = Object.entries<string | undefined>(selections).map(
    ([name, selection]) =>
      `(SELECT CASE WHEN count(*) <= ${maxMatches} THEN coalesce(array_agg(id), '{}')::text END
        FROM (${selection} LIMIT ${maxMatches + 1}) AS found) AS "${name}"`,
  );
  const search = statement<Record<Name, MatchingIds | null>>('', `SELECT ${columns.join(', ')}`, {
    bitmapScansOnly: true,
  });
  const { clientConnection, replicaRead } = scope;
  const system = clientConnection
    ? ({ role: 'system', clientConnection, replicaRead } as const)
    : systemScope;
  const [found] = await database.query(system, search, values);
  if (!found || Object.values(found).includes(null)) return null;
  return found as Record<Name, MatchingIds>;
}
