import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts';
import { commitTransaction, execute, observeQueries } from './pipelined-query.ts';
import { plannerSettings } from './planner-settings.ts';
import { statement } from './statement.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Leads other statements, so a connection has prepared it. */
const setToken = statement<never>(
  'test.set-token',
  `SELECT WHERE set_config('keyfront.token_id', $1, true) IS NULL`,
);

let client: pg.Client;
beforeEach(async () => {
  client = new pg.Client({ connectionString: test.loginUrl, pipeline: true });
  await client.connect();
  for (const setting of plannerSettings) await execute(client, setting, []);
  await execute(client, setToken, ['']);
  return () => client.end();
});

/** Records the message types that the work sends, as one text for each write. */
async function recordMessages(work: () => Promise<unknown>): Promise<string[]> {
  const { stream } = (client as unknown as { connection: pg.Connection }).connection;
  const written: string[] = [];
  const write: (bytes: Buffer) => boolean = stream.write.bind(stream);
  stream.write = (bytes: Buffer) => {
    let kinds = '';
    for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
      kinds += bytes.toString('latin1', at, at + 1);
    written.push(kinds);
    return write(bytes);
  };
  await work().finally(() => Object.assign(stream, { write }));
  return written;
}

const divide = statement<{ result: number }>('test.divide', 'SELECT $1::int / $2::int AS result');

describe('a statement', () => {
  it('is sent in one write, and prepared and described only the first time on a connection', async () => {
    const run = () => execute(client, divide, [6, 2]);
    expect(await recordMessages(run)).toEqual(['PBDES']);
    expect(await recordMessages(run)).toEqual(['BES']);
    expect(await run()).toEqual([{ result: 3 }]);
  });

  it('is sent together with its leading statements', async () => {
    const look = statement<{ token: string }>(
      'test.look',
      `SELECT current_setting('keyfront.token_id', true) AS token`,
    );
    const run = () => execute(client, look, [], [{ statement: setToken, values: ['7'] }]);
    expect(await run()).toEqual([{ token: '7' }]);
    expect(await recordMessages(run)).toEqual(['BEBES']);
    expect(await run()).toEqual([{ token: '7' }]);
    expect(await execute(client, look, [])).toEqual([{ token: '' }]);
  });

  it('with indexScansOnly is planned without other scans, in the same round trip', async () => {
    const text = `SELECT current_setting('enable_seqscan') AS seq, current_setting('enable_bitmapscan') AS bitmap`;
    const marked = statement<object>('test.marked', text, { indexScansOnly: true });
    const unmarked = statement<object>('test.unmarked', text);
    for (let round = 0; round < 2; round++) {
      expect(await execute(client, marked, [])).toEqual([{ seq: 'off', bitmap: 'off' }]);
      expect(await execute(client, unmarked, [])).toEqual([{ seq: 'on', bitmap: 'on' }]);
    }
    expect(await recordMessages(() => execute(client, marked, []))).toEqual(['BEBES']);
    // In a transaction the settings last until its end.
    await client.query('BEGIN');
    expect(await execute(client, marked, [])).toEqual([{ seq: 'off', bitmap: 'off' }]);
    await commitTransaction(client);
    expect(await execute(client, unmarked, [])).toEqual([{ seq: 'on', bitmap: 'on' }]);
  });

  it('with bitmapScansOnly is planned without other scans, in the same round trip', async () => {
    const scans = ['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan'];
    const text = `SELECT ${scans.map((scan) => `current_setting('enable_${scan}') AS ${scan}`).join(', ')}`;
    const marked = statement<object>('test.bitmap-only', text, { bitmapScansOnly: true });
    const off = { seqscan: 'off', indexscan: 'off', indexonlyscan: 'off', bitmapscan: 'on' };
    const on = { seqscan: 'on', indexscan: 'on', indexonlyscan: 'on', bitmapscan: 'on' };
    expect(await execute(client, marked, [])).toEqual([off]);
    expect(await recordMessages(() => execute(client, marked, []))).toEqual(['BEBES']);
    expect(await execute(client, statement<object>('', text), [])).toEqual([on]);
  });

  it('with genericPlan is planned once for all values, in the same round trip', async () => {
    const text = 'SELECT count(*)::int AS count FROM pg_class WHERE relname = $1';
    const name = 'test.generic';
    const marked = statement<object>(name, text, { genericPlan: true });
    const countPlans = async () => {
      const { rows } = await client.query(
        `SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1`,
        [name],
      );
      return rows;
    };
    for (const table of ['pg_class', 'pg_proc', 'nothing']) await execute(client, marked, [table]);
    expect(await countPlans()).toEqual([{ generic: 3, custom: 0 }]);
    expect(await recordMessages(() => execute(client, marked, ['pg_class']))).toEqual(['BEBES']);
    const mode = statement<{ mode: string }>(
      'test.mode',
      `SELECT current_setting('plan_cache_mode') AS mode`,
    );
    expect(await execute(client, mode, [])).toEqual([{ mode: 'auto' }]);
  });

  it('can be sent several times before the first response to its Parse message', async () => {
    const all = [6, 8, 10].map((number) => execute(client, divide, [number, 2]));
    expect(await Promise.all(all)).toEqual([[{ result: 3 }], [{ result: 4 }], [{ result: 5 }]]);
  });

  it('leaves in one packet with others of the same tick', async () => {
    const { stream } = (client as unknown as { connection: pg.Connection }).connection;
    const all = [6, 8].map((number) => execute(client, divide, [number, 2]));
    expect(stream.writableLength).toBeGreaterThan(0);
    expect(await Promise.all(all)).toEqual([[{ result: 3 }], [{ result: 4 }]]);
    expect(stream.writableLength).toBe(0);
  });

  it('is preceded by another, in the same round trip and transaction', async () => {
    const readNumber = statement<never>(
      'test.read-number',
      `SELECT WHERE set_config('test.number', txid_current()::text, true) IS NULL`,
    );
    const compare = statement<{ same: boolean }>(
      'test.compare',
      `SELECT current_setting('test.number') = txid_current()::text AS same`,
      { precededBy: readNumber },
    );
    const run = () => execute(client, compare, []);
    expect(await run()).toEqual([{ same: true }]);
    expect(await recordMessages(run)).toEqual(['PBEBES']);
    expect(await run()).toEqual([{ same: true }]);
  });

  it('is reported to the observer of queries, with its error', async () => {
    const seen: unknown[] = [];
    observeQueries((name) => (error) => seen.push([name, error instanceof Error]));
    onTestFinished(() => observeQueries(null));
    await execute(client, divide, [6, 2]);
    await expect(execute(client, divide, [1, 0])).rejects.toThrow();
    expect(seen).toEqual([
      ['test.divide', false],
      ['test.divide', true],
    ]);
  });

  it('without a name is parsed each time', async () => {
    const unnamed = statement<{ n: number }>('', 'SELECT 1 AS n');
    const other = statement<{ text: string }>('', `SELECT 'one' AS text`);
    expect(await execute(client, unnamed, [])).toEqual([{ n: 1 }]);
    expect(await execute(client, other, [])).toEqual([{ text: 'one' }]);
    expect(await recordMessages(() => execute(client, unnamed, []))).toEqual(['PBDES']);
  });

  it('without rows returns an empty list', async () => {
    const nothing = statement<never>('test.nothing', `SELECT WHERE false`);
    const set = statement<never>('test.set', 'SET LOCAL lock_timeout = 1000');
    for (const each of [nothing, set, nothing, set]) expect(await execute(client, each, [])).toEqual([]);
  });
});

describe('an error', () => {
  it('of the database leaves the connection usable, also at the first execution', async () => {
    await expect(execute(client, divide, [1, 0])).rejects.toMatchObject({ code: '22012' });
    expect(await execute(client, divide, [6, 2])).toEqual([{ result: 3 }]);
    await expect(execute(client, divide, [1, 0])).rejects.toBeInstanceOf(pg.DatabaseError);
    expect(await execute(client, divide, [8, 2])).toEqual([{ result: 4 }]);
  });

  it('of a statement that cannot be parsed is reported each time', async () => {
    const wrong = statement('test.wrong', 'SELECT nothing_like_it');
    for (let round = 0; round < 2; round++) {
      await expect(execute(client, wrong, [])).rejects.toMatchObject({ code: '42703' });
    }
  });

  it('of a value that cannot be serialized prevents the query from being sent', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const sent = await recordMessages(() =>
      expect(execute(client, divide, [circular, 1])).rejects.toThrow(/circular/),
    );
    expect(sent).toEqual([]);
    expect(await execute(client, divide, [6, 2])).toEqual([{ result: 3 }]);
  });

  it('of a value that cannot be parsed does not affect the next query', async () => {
    const large = statement<{ n: number }>('test.large', 'SELECT $1::bigint AS n');
    await expect(execute(client, large, ['9007199254740993'])).rejects.toThrow(RangeError);
    expect(await execute(client, large, ['7'])).toEqual([{ n: 7 }]);
  });

  it('is thrown when two statements have the same name', async () => {
    await execute(client, divide, [6, 2]);
    const namesake = statement(divide.name, 'SELECT 1');
    await expect(execute(client, namesake, [])).rejects.toThrow('Two statements are called test.divide');
  });

  it('is thrown when the connection is closed', async () => {
    const closed = new pg.Client({ connectionString: test.loginUrl, pipeline: true });
    closed.on('error', () => undefined);
    await closed.connect();
    const waiting = execute(closed, statement('test.sleep', 'SELECT pg_sleep(600)'), []);
    (closed as unknown as { connection: pg.Connection }).connection.stream.destroy();
    await expect(waiting).rejects.toThrow('Connection terminated');
    await expect(execute(closed, divide, [6, 2])).rejects.toThrow('not queryable');
  });
});

it('commitTransaction returns whether the transaction was committed', async () => {
  await client.query('BEGIN');
  expect(await commitTransaction(client)).toBe(true);
  await client.query('BEGIN');
  await expect(execute(client, divide, [1, 0])).rejects.toThrow('division by zero');
  expect(await commitTransaction(client)).toBe(false);
});

it('parses rows by the types and names of their columns', async () => {
  const everything = statement(
    'test.everything',
    `SELECT true AS "isTrue", 7::int AS "whole number", 8::bigint AS "large", 1.50::numeric AS money, 'ä€😀' AS "te'x""t",
       '2026-11-15 01:50:25.12+00'::timestamptz AS "at", '{"a":[1]}'::json AS json, ARRAY['x', NULL] AS list, NULL::int AS none,
       NULL AS "nothing", 1 AS twice, 2 AS twice`,
  );
  const row = {
    isTrue: true,
    'whole number': 7,
    large: 8,
    money: 1.5,
    'te\'x"t': 'ä€😀',
    at: '2026-11-15T01:50:25.120Z',
    json: { a: [1] },
    list: ['x', null],
    none: null,
    nothing: null,
    twice: 2,
  };
  for (let round = 0; round < 2; round++) expect(await execute(client, everything, [])).toEqual([row]);
});
