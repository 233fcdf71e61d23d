import { DatabaseUnavailable, type Statement, statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { expectAllGivenBack } from '../../../../../test/support/connections.ts';
import { countRoundTrips } from '../../../../../test/support/round-trips.ts';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import type { Database } from '../database.ts';
import { type HolderScope, systemScope } from './scope.ts';

const scope = anyHolder;
/** More than there are connections for streams, so that the test hangs if one is not returned. */
const rounds = 5;

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await runSql(
    test.ownerUrl,
    `CREATE TABLE keyfront.test_numbers AS SELECT n FROM generate_series(1, 5000) AS n;
     GRANT SELECT ON keyfront.test_numbers TO keyfront_service, keyfront_platform`,
  );
});
afterAll(() => test.close());

type Numbers = Statement<{ n: number }>;
const upTo: Numbers = statement('test.up-to', 'SELECT n FROM generate_series(1, $1::int) AS n ORDER BY n');
const down: Numbers = statement('test.down', 'SELECT n FROM test_numbers ORDER BY n DESC');

async function collect<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

describe('a stream', () => {
  it.each([0, 1, 1_999, 2_000, 2_001, 5_000])('yields all of %d rows, in order', async (count) => {
    for (const each of [scope, systemScope]) {
      const rows = await collect(streamRows(database, each, upTo, [count]));
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    }
    await expectAllGivenBack(test);
  });

  it('yields batches that are neither empty nor large', async () => {
    const sizes: number[] = [];
    for await (const batch of streamRows(database, scope, upTo, [5_000])) sizes.push(batch.length);
    expect(sizes).toEqual([2_000, 2_000, 1_000]);
  });

  it.each([
    [0, 2],
    [1, 2],
    [1_999, 2],
    [2_000, 3],
    [2_001, 3],
    [4_000, 4],
  ])('of %d rows takes %d round trips', async (count, expected) => {
    await collect(streamRows(database, scope, upTo, [count]));
    const trips = countRoundTrips(test.ownerUrl);
    try {
      await collect(streamRows(database, scope, upTo, [count]));
      expect(trips.count).toBe(expected);
    } finally {
      trips.stop();
    }
  });

  it('shows one snapshot', async () => {
    const stream = streamRows(database, scope, down);
    const first = await stream.next();
    await runSql(test.ownerUrl, 'DELETE FROM keyfront.test_numbers WHERE n = 1');
    const rest = await collect(stream);
    await runSql(test.ownerUrl, 'INSERT INTO keyfront.test_numbers VALUES (1)');
    expect((first.value?.length ?? 0) + rest.length).toBe(5_000);
    expect(rest.at(-1)).toEqual({ n: 1 });
  });

  it('runs in its scope in all batches, and leaves no scope on the connection', async () => {
    const readToken: Statement<{ token: string | null }> = statement(
      'test.scope',
      `SELECT nullif(current_setting('keyfront.token_id', true), '') AS token FROM generate_series(1, 2001)`,
    );
    const collectTokens = async (each: HolderScope | typeof systemScope) =>
      new Set((await collect(streamRows(database, each, readToken))).map(({ token }) => token));
    for (let round = 0; round < rounds; round++) {
      expect(await collectTokens({ ...scope, tokenId: round })).toEqual(new Set([String(round)]));
    }
    expect(await collectTokens(systemScope)).toEqual(new Set([null]));
  });

  it('does not show a holder the rows of another', async () => {
    await runSql(
      test.ownerUrl,
      `SET search_path = keyfront;
       INSERT INTO planets (number, name) VALUES (1, 'Verdane');
       INSERT INTO holders (id, wallet_address) VALUES ('${scope.holderId}', '${scope.walletAddress}');
       INSERT INTO digital_keys (token_id, holder_id, planet_id)
         SELECT token_id, '${scope.holderId}', planets.id FROM planets, unnest('{7, 8}'::bigint[]) AS token_id;
       INSERT INTO clients (token_id, first_name, last_name, email)
         VALUES (7, 'Own', 'Client', 'own@example.org'), (8, 'Other', 'Client', 'other@example.org')`,
    );
    const names = statement<{ name: string }>(
      'test.clients',
      'SELECT first_name AS name FROM clients ORDER BY 1',
    );
    expect(await collect(streamRows(database, scope, names))).toEqual([{ name: 'Own' }]);
    expect(await collect(streamRows(database, systemScope, names))).toEqual([
      { name: 'Other' },
      { name: 'Own' },
    ]);
  });
});

describe('the connection of a stream', () => {
  it('is returned when the consumer stops early', async () => {
    for (let round = 0; round < rounds; round++) {
      for await (const batch of streamRows(database, scope, upTo, [5_000])) {
        expect(batch[0]).toEqual({ n: 1 });
        break;
      }
      await expectAllGivenBack(test);
    }
  });

  it('is returned when the consumer fails', async () => {
    const reason = new Error('the consumer failed');
    for (let round = 0; round < rounds; round++) {
      const consume = async () => {
        for await (const _batch of streamRows(database, scope, upTo, [5_000])) throw reason;
      };
      await expect(consume()).rejects.toBe(reason);
    }
    await expectAllGivenBack(test);
  });

  it('is returned when a row fails after others were yielded', async () => {
    const failing: Numbers = statement(
      'test.mid-stream',
      'SELECT 1 / (4500 - n) AS n FROM generate_series(1, 5000) AS n',
    );
    for (let round = 0; round < rounds; round++) {
      let seen = 0;
      const consume = async () => {
        for await (const batch of streamRows(database, scope, failing)) seen += batch.length;
      };
      await expect(consume()).rejects.toThrow(/division by zero/);
      expect(seen).toBe(4_000);
    }
    await expectAllGivenBack(test);
    expect(await collect(streamRows(database, scope, upTo, [1]))).toEqual([{ n: 1 }]);
  });

  it('is returned when the statement is invalid', async () => {
    for (let round = 0; round < rounds; round++) {
      await expect(
        collect(streamRows(database, scope, statement('test.wrong', 'SELECT * FROM nowhere'))),
      ).rejects.toThrow(/does not exist/);
      await expect(collect(streamRows(database, scope, upTo, ['x']))).rejects.toThrow(/invalid input syntax/);
    }
    await expectAllGivenBack(test);
  });

  it('comes from a pool of its own, so that slow readers do not delay other statements', async () => {
    const slow = [streamRows(database, scope, upTo, [5_000]), streamRows(database, scope, upTo, [5_000])];
    for (const stream of slow) await stream.next();
    expect(await database.query(scope, upTo, [1])).toEqual([{ n: 1 }]);
    expect(await collect(streamRows(database, systemScope, upTo, [1]))).toEqual([{ n: 1 }]);
    for (const stream of slow) await stream.return(undefined);
    await expectAllGivenBack(test);
  });

  it('is replaced when it is lost, and the stream fails with DatabaseUnavailable', async () => {
    const stream = streamRows(database, scope, upTo, [10_000]);
    await stream.next();
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    await expect(collect(stream)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await collect(streamRows(database, scope, upTo, [1]))).toEqual([{ n: 1 }]);
  });
});
