import { statement } from '@keyfront/postgres';
import type { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';

/** Creates a function that returns whether a table has a row with an id that meets the condition, in any scope. */
export function rowExists(
  table: string,
  condition = 'true',
): (database: Database, id: string) => Promise<boolean> {
  const find = statement<{ id: string }>(
    `${table}.exists`,
    `SELECT id FROM ${table} WHERE id = $1 AND ${condition}`,
  );
  return async (database, id) => (await database.query(systemScope, find, [id])).length > 0;
}
