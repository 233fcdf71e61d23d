import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts';
import { executeRaw } from './execute-raw.ts';
import { execute } from './pipelined-query.ts';
import { readRows } from './row-messages.ts';
import { statement } from './statement.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

let client: pg.Client;
beforeEach(async () => {
  client = new pg.Client({ connectionString: test.loginUrl, pipeline: true });
  await client.connect();
  readRows(client);
  return () => client.end();
});

const one = statement<{ n: number }>('', 'SELECT 1 AS n');

/** Reads the cells of rows. */
async function readCells(text: string, values: unknown[] = []): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  const count = await executeRaw(client, statement('', text), values, {
    addRow: (bytes, start, end) => {
      const cells: (string | null)[] = [];
      for (let at = start; at < end; ) {
        const length = bytes.readInt32BE(at);
        at += 4;
        cells.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
        at += Math.max(0, length);
      }
      rows.push(cells);
    },
  });
  expect(count).toBe(rows.length);
  return rows;
}

it('passes on the columns of each row', async () => {
  expect(await readCells(`SELECT 1, 'ä€😀', NULL, '', $1::int`, [7])).toEqual([['1', 'ä€😀', null, '', '7']]);
  expect(await readCells('SELECT WHERE false')).toEqual([]);
  expect(await execute(client, one, [])).toEqual([{ n: 1 }]);
});

it('puts rows together that arrive in parts', async () => {
  const rows = await readCells(
    `SELECT n, repeat('x', n * 37 % 5000), repeat('ü', CASE n WHEN 500 THEN 300000 ELSE 1 END) FROM generate_series(1, 1000) AS n`,
  );
  expect(rows).toEqual(
    Array.from({ length: 1_000 }, (_, index) => {
      const n = index + 1;
      return [String(n), 'x'.repeat((n * 37) % 5_000), 'ü'.repeat(n === 500 ? 300_000 : 1)];
    }),
  );
  expect(await execute(client, one, [])).toEqual([{ n: 1 }]);
});

it('may follow another statement in the same round trip', async () => {
  const begin = execute(client, statement('', 'BEGIN'), []);
  const rows = readCells('SELECT 2');
  await begin;
  expect(await rows).toEqual([['2']]);
  await client.query('ROLLBACK');
});

it('rejects with the error of the database, and leaves the connection usable', async () => {
  await expect(readCells('SELECT 1 / (500 - n) FROM generate_series(1, 1000) AS n')).rejects.toMatchObject({
    code: '22012',
  });
  expect(await execute(client, one, [])).toEqual([{ n: 1 }]);
});

it('rejects with the error of the reader, and leaves the connection usable', async () => {
  const numbers = statement('', 'SELECT generate_series(1, 1000)');
  const refuse = {
    addRow: () => {
      throw new RangeError('not this row');
    },
  };
  await expect(executeRaw(client, numbers, [], refuse)).rejects.toThrow('not this row');
  expect(await execute(client, one, [])).toEqual([{ n: 1 }]);
});

it('rejects when the connection is lost', async () => {
  client.on('error', () => undefined);
  const waiting = readCells('SELECT pg_sleep(600)');
  (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  await expect(waiting).rejects.toThrow('Connection terminated');
});
