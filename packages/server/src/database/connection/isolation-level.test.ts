import { closeSession, openSession, openSessionPool, statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { needs } from '../../../../../test/support/requirements.ts';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { startPgBouncer, startTransactionPooler } from '../../../../../test/support/transaction-pooler.ts';
import { Database } from '../database.ts';
import { defaultTiming, MigrationSession } from '../migrations/migration-session.ts';
import { systemScope } from '../transactions/scope.ts';

/** A database whose operator wants another isolation level, which the locks of the service do not work with. */
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  const [name, login] = [new URL(test.loginUrl).pathname.slice(1), new URL(test.loginUrl).username];
  await runSql(
    test.ownerUrl,
    `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read';
     ALTER ROLE ${login} IN DATABASE ${name} SET default_transaction_isolation = 'serializable'`,
  );
});
afterAll(() => test.close());

const readLevel = `SELECT current_setting('transaction_isolation') AS level`;
const level = statement<{ level: string }>('test.level', readLevel);
const readCommitted = [{ level: 'read committed' }];

async function expectReadCommitted(database: Database): Promise<void> {
  for (const scope of [anyHolder, systemScope]) {
    expect(await database.query(scope, level)).toEqual(readCommitted);
    const inTransaction = database.transaction(scope, (tx) => Promise.all([tx(level), tx(level)]));
    expect(await inTransaction).toEqual([readCommitted, readCommitted]);
    for await (const rows of streamRows(database, scope, level)) expect(rows).toEqual(readCommitted);
  }
  expect(await database.queryShared(level)).toEqual(readCommitted);
}

it('is read committed on the connections of requests and jobs', async () => {
  expect(await runSql(test.loginUrl, readLevel)).toEqual([{ level: 'serializable' }]);
  const database = new Database({ url: test.loginUrl, poolSize: 1 });
  onTestFinished(() => database.close());
  await expectReadCommitted(database);
});

describe.each([
  { name: 'a pooler in transaction mode', startPooler: startTransactionPooler, options: {} },
  { name: 'PgBouncer in transaction mode', startPooler: startPgBouncer, options: needs('PgBouncer') },
])('through $name', ({ startPooler, options }) => {
  it('is read committed, and what else uses the pooler keeps its own', options, async () => {
    const pooler = await startPooler(test.loginUrl, { startupOptions: 'refused' });
    const database = new Database({ url: pooler.url, directUrl: test.loginUrl, poolSize: 1 });
    onTestFinished(async () => {
      await database.close();
      await pooler.close();
    });
    await expectReadCommitted(database);
    expect(await runSql(pooler.url, readLevel)).toEqual([{ level: 'serializable' }]);
  });
});

it('is read committed in migrations, in the work queue and in other sessions', async () => {
  const migration = await MigrationSession.open({
    url: test.ownerUrl,
    timing: defaultTiming,
    signal: undefined,
  });
  onTestFinished(() => migration.close());
  expect(await migration.query(readLevel)).toEqual(readCommitted);
  const queue = openSessionPool({
    ...{ url: test.loginUrl, role: null, size: 1, durable: true },
    onIdleError: () => undefined,
  });
  onTestFinished(() => queue.end());
  expect((await queue.query(readLevel)).rows).toEqual(readCommitted);
  const session = await openSession({ url: test.loginUrl, applicationName: 'test', settings: {} });
  onTestFinished(() => closeSession(session));
  expect((await session.query(readLevel)).rows).toEqual(readCommitted);
});
