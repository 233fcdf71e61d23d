import type { Database } from './database.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';

/** Tells for a table whether it has a row with this id at all, whoever's it is. */
export function rowExists(table: string): (database: Database, id: string) => Promise<boolean> {
  const find = statement<{ id: string }>(`${table}.exists`, `SELECT id FROM ${table} WHERE id = $1`);
  return async (database, id) => (await database.query(systemScope, find, [id])).length > 0;
}
