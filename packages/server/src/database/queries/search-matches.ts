import { statement } from '@keyfront/postgres';
import type { Database } from '../database.ts';
import { type Scope, systemScope } from '../transactions/scope.ts';

/** The ids of matching rows, as a PostgreSQL array of uuid: they are sent back to PostgreSQL without being read here. */
export type MatchingIds = string;

/** The index holds sequences of three characters. Shorter texts have none. */
const minIndexedLength = 3;
/** Beyond this many matches, reading all rows of the digital key takes no longer than reading the matching ones. */
const maxMatches = 5_000;

/** A search as SQL. */
export interface Search<Table extends string> {
  /** Names the statement, so that it is prepared. '' for a search that is rare. */
  readonly name: string;
  /** A SELECT of ids for each table. */
  readonly selections: Partial<Readonly<Record<Table, string>>>;
  readonly values: unknown[];
}

/**
 * Finds the rows that contain a text, by the trigram indices. Returns null if the text is too short for the index or matches too
 * many rows: then the caller must search by ILIKE.
 *
 * PostgreSQL uses no index for ILIKE under row-level security. ILIKE is not leakproof, so the policy has to be evaluated
 * for each row before it. This therefore runs in the scope of the system and returns nothing but ids. The selections must
 * contain the condition of the digital key, and the rows must be read in the scope of the caller.
 */
export async function findMatches<Table extends string>(
  database: Database,
  scope: Scope,
  text: string,
  { name, selections, values }: Search<Table>,
): Promise<Partial<Record<Table, MatchingIds>> | null> {
  if ([...text].length < minIndexedLength) return null;
  const columns = Object.entries<string | undefined>(selections).map(
    ([table, selection]) =>
      `(SELECT CASE WHEN count(*) <= ${maxMatches} THEN coalesce(array_agg(id), '{}')::text END
        FROM (${selection} LIMIT ${maxMatches + 1}) AS found) AS "${table}"`,
  );
  const search = statement<Record<Table, MatchingIds | null>>(name, `SELECT ${columns.join(', ')}`, {
    bitmapScansOnly: true,
    genericPlan: true,
  });
  const { clientConnection, replicaRead } = scope;
  const system = clientConnection
    ? ({ role: 'system', clientConnection, replicaRead } as const)
    : systemScope;
  const [found] = await database.query(system, search, values);
  if (!found || Object.values(found).includes(null)) return null;
  return found as Record<Table, MatchingIds>;
}
