import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { has, needs } from '../../../../../test/support/requirements.ts';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import {
  startPgBouncer,
  startTransactionPooler,
  type TransactionPooler,
} from '../../../../../test/support/transaction-pooler.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { readMigrations } from '../migrations/migrations.ts';
import { type HolderScope, systemScope } from '../transactions/scope.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await runSql(
    test.ownerUrl,
    `CREATE TABLE keyfront.test_rows (token_id bigint, n int);
     CALL keyfront.protect('keyfront.test_rows', 'token_id = keyfront.scope_token_id()');
     GRANT SELECT, INSERT ON keyfront.test_rows TO keyfront_service, keyfront_platform`,
  );
});
afterAll(() => test.close());

const look = statement<Record<string, string>>(
  'test.look',
  `SELECT current_user AS role, current_setting('search_path') AS path, current_setting('timezone') AS zone,
     current_setting('statement_timeout') AS timeout, current_setting('keyfront.token_id', true) AS token`,
);
const settings = { path: 'keyfront', zone: 'UTC', timeout: '30s' };
const insert = statement('test.insert', 'INSERT INTO test_rows VALUES ($1, $2)');
const list = statement<{ n: number }>('test.list', 'SELECT n FROM test_rows ORDER BY n');
const listByIndex = statement<{ seq: string }>(
  'test.list-by-index',
  `SELECT current_setting('enable_seqscan') AS seq`,
  { indexScansOnly: true },
);
const insertMany = statement(
  'test.insert-many',
  'INSERT INTO test_rows SELECT $1::bigint, unnest($2::integer[])',
  {
    merges: 'writes',
  },
);
const lookMany = statement<{ role: string; token: string; n: number }>(
  'test.look-many',
  `SELECT member::integer, n, current_user AS role, current_setting('keyfront.token_id') AS token
   FROM unnest($1::integer[]) WITH ORDINALITY AS wanted (n, member)`,
  { merges: 'reads' },
);
const fail = statement('test.fail', 'SELECT 1 / (SELECT 0)');
const scopeOf = (tokenId: number): HolderScope => ({ ...anyHolder, tokenId });

describe.each([
  { name: 'a pooler in transaction mode', startPooler: startTransactionPooler, options: {} },
  { name: 'PgBouncer in transaction mode', startPooler: startPgBouncer, options: needs('PgBouncer') },
])('$name', ({ name, startPooler, options }) => {
  describe('with DATABASE_DIRECT_URL', options, () => {
    let pooler: TransactionPooler;
    let database: Database;
    beforeAll(async () => {
      if (name.startsWith('PgBouncer') && !has('PgBouncer')) return;
      pooler = await startPooler(test.loginUrl, { startupOptions: 'refused' });
      database = new Database({ url: pooler.url, directUrl: test.loginUrl, poolSize: 6 });
    });
    afterAll(async () => {
      await database?.close();
      await pooler?.close();
    });

    it('runs every statement in its role and scope', async () => {
      await database.verifyRoles();
      const one = scopeOf(1);
      const inScope = { ...settings, role: 'keyfront_service', token: '1' };
      expect(await database.query(one, look)).toEqual([inScope]);
      expect(await database.transaction(one, (tx) => tx(look))).toEqual([inScope]);
      expect(await database.queryShared(look)).toEqual([{ ...inScope, token: expect.toBeOneOf([null, '']) }]);
      expect(await database.query(systemScope, look)).toMatchObject([{ role: 'keyfront_platform' }]);
      expect(await database.query(one, listByIndex)).toEqual([{ seq: 'off' }]);
      for await (const rows of streamRows(database, one, look)) expect(rows).toEqual([inScope]);
    });

    it('keeps holders apart while their transactions share server connections', {
      tags: ['long'],
    }, async () => {
      await runSql(test.ownerUrl, 'TRUNCATE keyfront.test_rows');
      const tokens = Array.from({ length: 12 }, (_, index) => 100 + index);
      await Promise.all(
        tokens.map(async (token) => {
          for (let round = 0; round < 10; round++) {
            await database.transaction(scopeOf(token), async (tx) => {
              await tx(insert, [token, round]);
              const rows = await tx(list);
              expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: round + 1 }, (_, n) => n));
              tx.atCommit(look);
            });
            expect(await database.query(scopeOf(token), list)).toHaveLength(round + 1);
            expect(await database.queryShared(list)).toEqual([]);
          }
        }),
      );
      expect(await database.query(systemScope, list)).toHaveLength(120);
    });

    it('keeps holders apart who share transactions with themselves', async () => {
      await runSql(test.ownerUrl, 'TRUNCATE keyfront.test_rows');
      const tokens = [300, 301, 302];
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      const before = database.sharedRequests.committed;
      const place = (token: number, n: number) =>
        database.shareTransaction(scopeOf(token), [], async (tx) => {
          tx.atCommit(insertMany, [token, [n]]);
          const [row] = await tx(lookMany, [[n]]);
          return row;
        });
      const found = await Promise.all(
        tokens.map((token) => Promise.all(numbers.map((n) => place(token, n)))),
      );
      expect(found).toEqual(
        tokens.map((token) =>
          numbers.map((n) => expect.objectContaining({ role: 'keyfront_service', token: `${token}`, n })),
        ),
      );
      expect(database.sharedRequests.committed).toBeGreaterThan(before);
      for (const token of tokens) {
        expect((await database.query(scopeOf(token), list)).map(({ n }) => n)).toEqual(numbers);
      }
      expect(await database.queryShared(list)).toEqual([]);
    });

    it('rolls back a transaction that fails, and leaves nothing behind', async () => {
      for (let round = 0; round < 6; round++) {
        const failing = database.transaction(scopeOf(200), async (tx) => {
          await tx(insert, [200, round]);
          await Promise.all([tx(fail), tx(look)]);
        });
        await expect(failing).rejects.toMatchObject({ code: '22012' });
        await expect(database.query(scopeOf(200), fail)).rejects.toMatchObject({ code: '22012' });
        const forbidden = database.query(scopeOf(200), insert, [201, 1]);
        await expect(forbidden).rejects.toMatchObject({ code: '42501' });
      }
      expect(await database.query(scopeOf(200), list)).toEqual([]);
      expect(await database.isReady(await readMigrations())).toBe(true);
    });
  });

  describe.each(['refused', 'ignored'] as const)('that has its settings %s', (startupOptions) => {
    it('is refused without DATABASE_DIRECT_URL, with a sentence', options, async () => {
      const pooler = await startPooler(test.loginUrl, { startupOptions });
      const database = new Database({ url: pooler.url, poolSize: 1 });
      onTestFinished(async () => {
        await database.close();
        await pooler.close();
      });
      const sentence =
        /^The database at 127\.0\.0\.1:\d+\/\w+ is reached through a connection pooler, .+: set DATABASE_DIRECT_URL to/;
      const verifying = database.verifyRoles();
      await expect(verifying).rejects.toThrow(sentence);
      await expect(verifying).rejects.toBeInstanceOf(StartError);
      const urls = { ownerUrl: pooler.url, loginUrl: pooler.url };
      await expect(migrate({ ...urls, migrations: [] })).rejects.toThrow(sentence);
    });
  });
});
