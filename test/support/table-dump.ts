import type { Storefront } from './storefront.ts';

/** Everything that the tables of the service hold about holders and their changes, as text: equal if nothing changed. */
export async function dumpTables(sql: Storefront['sql']): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'keyfront'::regnamespace AND relkind = 'r' AND relname <> 'api_keys' ORDER BY 1`,
  );
  const dump: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ content: string }>(
      `SELECT coalesce(string_agg(whole.row, E'\\n' ORDER BY whole.row), '') AS content
       FROM (SELECT t::text AS row FROM ${name} AS t) AS whole`,
    );
    dump[name] = row?.content ?? '';
  }
  return dump;
}
