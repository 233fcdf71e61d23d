import { statement } from '@keyfront/postgres';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';

// A database that has holders and no mark yet was filled by something else than a sandbox.
const remember = statement(
  'installation.remember',
  `INSERT INTO installation (is_sandbox) SELECT $1::boolean WHERE NOT ($1 AND EXISTS (SELECT FROM holders)) ON CONFLICT DO NOTHING`,
);
const read = statement<{ isSandbox: boolean }>(
  'installation.read',
  `SELECT is_sandbox AS "isSandbox" FROM installation`,
);

/** Marks a new database as one of a sandbox or not. Returns what it is, which is what its first start has said. */
export function rememberSandbox(database: Database, isSandbox: boolean): Promise<boolean> {
  return database.transaction(systemScope, async (tx) => {
    const [, [row]] = await Promise.all([tx(remember, [isSandbox]), tx(read)]);
    return row?.isSandbox ?? false;
  });
}
