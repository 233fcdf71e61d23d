import type { Database } from './database.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';

/** Creates a function that returns whether a table has a row with an id, in any scope. */
export function rowExists(table: string): (database: Database, id: string) => Promise<boolean> {
  const find = statement<{ id: string }>(`${table}.exists`, `SELECT id FROM ${table} WHERE id = $1`);
  return async (database, id) => (await database.query(systemScope, find, [id])).length > 0;
}
