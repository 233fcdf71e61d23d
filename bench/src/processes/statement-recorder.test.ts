import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { inlineValues, type StatementRecorder, startStatementRecorder } from './statement-recorder.ts';

let database: TestDatabase;
let recorder: StatementRecorder;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase('nothing');
  recorder = await startStatementRecorder(database.ownerUrl);
  client = new pg.Client({ connectionString: recorder.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await recorder.close();
  await database.close();
});

const statement = {
  name: 'named',
  text: 'SELECT $1::text AS a, $2::bytea AS b, $3::int[] AS c, $4::text AS d',
};

it('records executed statements with their values, whether or not they are prepared again', async () => {
  const values = [`it's`, Buffer.from([0, 255]), [1, 2], null];
  await client.query({ ...statement, values });
  await client.query({ ...statement, values: ['again', null, [], 'x'] });
  const [first, second, ...others] = recorder.take();
  expect(others).toEqual([]);
  expect([first?.text, second?.text]).toEqual([statement.text, statement.text]);
  expect(first && inlineValues(first)).toBe(
    `SELECT 'it''s'::text AS a, '\\x00ff'::bytea::bytea AS b, '{"1","2"}'::int[] AS c, NULL::text AS d`,
  );
  expect(recorder.take()).toEqual([]);
});

it('replaces values by expressions', async () => {
  await client.query({ ...statement, values: ['client', null, [], 'client'] });
  const [recorded] = recorder.take();
  const text = recorded && inlineValues(recorded, (value) => (value === 'client' ? ':n' : undefined));
  expect(text).toBe(`SELECT :n::text AS a, NULL::bytea AS b, '{}'::int[] AS c, :n::text AS d`);
});

it('returns statements with the same result after their values are inlined', async () => {
  const values = ['a', Buffer.from('b'), [3], null];
  const { rows } = await client.query({ ...statement, values });
  const [recorded] = recorder.take();
  const again = await client.query(recorded ? inlineValues(recorded) : '');
  expect(again.rows).toEqual(rows);
});
