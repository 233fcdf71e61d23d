import { DatabaseUnavailable, statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../test/support/any-holder.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { systemScope } from './transactions/scope.ts';

const scope = anyHolder;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

describe('values of rows', () => {
  it('are numbers, exact decimal texts and ISO 8601 times', async () => {
    const read = statement<Record<string, unknown>>(
      'test.values',
      `SELECT count(*) AS count, 9007199254740991::bigint AS largest, 120::numeric(12, 2) AS money,
         timestamptz '2026-11-15 01:02:03.4+02' AS tenths, timestamptz '2024-02-29 00:00:00Z' AS leap,
         null::timestamptz AS never`,
    );
    const expected = {
      count: 1,
      largest: 9007199254740991,
      money: 120,
      tenths: '2026-11-14T23:02:03.400Z',
      leap: '2024-02-29T00:00:00.000Z',
      never: null,
    };
    for (const rows of [await test.database.query(scope, read), await test.database.queryShared(read)]) {
      expect(rows[0]).toMatchObject(expected);
    }
  });

  it('are rejected when they would lose digits', async () => {
    const read = statement('test.too-large', 'SELECT 9007199254740993::bigint AS n');
    await expect(test.database.query(scope, read)).rejects.toThrow(RangeError);
    await expect(test.database.queryShared(read)).rejects.toThrow(RangeError);
    await expect(test.database.queryShared(statement('test.one', 'SELECT 1 AS n'))).resolves.toEqual([
      { n: 1 },
    ]);
  });
});

describe('a statement in a scope', () => {
  it('runs in the transaction that sets the scope', async () => {
    const look = statement<{ token: string; isFirst: boolean }>(
      'test.transaction',
      `SELECT current_setting('keyfront.token_id') AS token,
         statement_timestamp() = transaction_timestamp() AS "isFirst"`,
    );
    expect(await test.database.query(scope, look)).toEqual([{ token: '7', isFirst: false }]);
  });

  it('leaves the connection usable after an error in parsing, binding or execution', async () => {
    const broken = [
      statement('test.syntax', 'SELEC 1'),
      statement('test.missing', 'SELECT * FROM nowhere'),
      statement('test.runtime', 'SELECT 1 / (SELECT 0)'),
    ];
    for (let round = 0; round < 3; round++) {
      for (const each of broken) await expect(test.database.query(scope, each)).rejects.toThrow();
      await expect(
        test.database.query(scope, statement('test.bind', 'SELECT $1::int AS n'), ['x']),
      ).rejects.toThrow(/invalid input syntax/);
      expect(
        await test.database.query(scope, statement('test.fine', 'SELECT $1::int AS n'), [round]),
      ).toEqual([{ n: round }]);
    }
  });

  it('that failed to parse is parsed again at the next use', async () => {
    const read = statement<{ n: number }>('test.later', 'SELECT n FROM test_later');
    await expect(test.database.query(scope, read)).rejects.toThrow(/does not exist/);
    await runSql(
      test.ownerUrl,
      'CREATE TABLE keyfront.test_later AS SELECT 5 AS n; GRANT SELECT ON keyfront.test_later TO keyfront_service',
    );
    expect(await test.database.query(scope, read)).toEqual([{ n: 5 }]);
    await runSql(test.ownerUrl, 'DROP TABLE keyfront.test_later');
  });
});

describe('a transaction', () => {
  it('is atomic, and returns the result of its work', async () => {
    const insert = statement('test.planet', 'INSERT INTO planets (number, name) VALUES ($1, $2)');
    const count = statement<{ n: number }>('test.planets', 'SELECT count(*) AS n FROM planets');
    const failing = test.database.transaction(systemScope, async (tx) => {
      await tx(insert, [1, 'One']);
      await tx(insert, [1, 'One again']);
    });
    await expect(failing).rejects.toThrow(/duplicate key/);
    expect(await test.database.queryShared(count)).toEqual([{ n: 0 }]);
    const done = await test.database.transaction(systemScope, async (tx) => {
      await tx(insert, [1, 'One']);
      return 'done';
    });
    expect(done).toBe('done');
    expect(await test.database.queryShared(count)).toEqual([{ n: 1 }]);
  });
});

describe('an unavailable database', () => {
  it('is distinguished from an invalid statement', async () => {
    const nowhere = new Database({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
    const read = statement('test.away', 'SELECT 1');
    await expect(nowhere.query(scope, read)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(nowhere.transaction(scope, (tx) => tx(read))).rejects.toBeInstanceOf(DatabaseUnavailable);
    await nowhere.close();
    const wrong = test.database.query(scope, statement('test.wrong', 'SELECT nothing'));
    await expect(wrong).rejects.not.toBeInstanceOf(DatabaseUnavailable);
  });

  it('leaves no connection that is older than its maximum age', async () => {
    const database = new Database({ url: test.loginUrl, poolSize: 1, maxConnectionAgeMs: 50 });
    const readPid = statement<{ pid: number }>('test.pid', 'SELECT pg_backend_pid() AS pid');
    const [first] = await database.query(scope, readPid);
    await expect.poll(async () => (await database.query(scope, readPid))[0]?.pid).not.toBe(first?.pid);
    await expect.poll(() => database.poolUsage().total).toBe(0);
    await database.close();
  });

  it('is used again as soon as it is available', async () => {
    const read = statement<{ n: number }>('test.back', 'SELECT 1 AS n');
    await test.database.query(scope, read);
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const results = await Promise.allSettled([
      test.database.query(scope, read),
      test.database.query(scope, read),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DatabaseUnavailable);
    }
    expect(await test.database.query(scope, read)).toEqual([{ n: 1 }]);
  });
});
