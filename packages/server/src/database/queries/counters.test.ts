import { statement } from '@keyfront/postgres';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { insertCart, insertClient } from '../../../../../test/support/storefront-data.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { Database } from '../database.ts';
import { compactCounters, selectCounters } from './counters.ts';

const { tokenId, holderId, walletAddress } = anyHolder;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const sql = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  runSql<Row>(`${test.ownerUrl}&options=-c%20search_path%3Dkeyfront`, text, values);

it('are compacted without a change of what they say', async () => {
  await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
  await sql('INSERT INTO holders (id, wallet_address) VALUES ($1, $2)', [holderId, walletAddress]);
  // A trigger adds a sale in the stage LEADS for the key.
  await sql('INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT $1, $2, id FROM planets', [
    tokenId,
    holderId,
  ]);
  const strains = await sql<{ id: string }>(
    `INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency)
     SELECT planets.id, 'Strain ' || n, 'HYBRID', 18, 1, 10, 'EUR' FROM planets, generate_series(1, 2) AS n RETURNING id`,
  );
  for (const count of [0, 1, 2]) {
    const client = await insertClient(sql, tokenId);
    const items = strains.slice(0, count).map(({ id }) => ({ strainId: id, quantity: 1 }));
    await insertCart(sql, tokenId, client.id, items);
    await sql(`INSERT INTO sales (token_id, client_id, stage) VALUES ($1, $2, 'CLOSED')`, [
      tokenId,
      client.id,
    ]);
  }
  const expected = [
    { kind: 'cart', state: 'FILLED', entries: 2 },
    { kind: 'sale', state: 'CLOSED', entries: 3 },
    { kind: 'sale', state: 'LEADS', entries: 1 },
  ];
  const read = (table: string) =>
    sql(
      `SELECT kind, state, sum(entries)::int AS entries FROM ${table} WHERE token_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
      [tokenId],
    );
  expect([await read('counter_changes'), await read('counters')]).toEqual([expected, []]);
  await compactCounters(test.database, new AbortController().signal);
  expect([await read('counter_changes'), await read('counters')]).toEqual([[], expected]);
});

it.each(['empty', 'full'])(
  'reads few pages after many changes were compacted, before any vacuum, with a plan from when the table was %s',
  { tags: ['long'] },
  async (planned) => {
    // With one connection, on which the plan is cached.
    const database = new Database({ url: test.loginUrl, poolSize: 1 });
    const prepare = statement(
      '',
      `PREPARE counters (bigint) AS SELECT * FROM ${selectCounters('$1', 'sale')} AS counters`,
    );
    const explain = statement<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
      '',
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE counters (${tokenId})`,
      { indexScansOnly: true },
    );
    const countPagesRead = async () => {
      const [plan] = await database.query(anyHolder, explain);
      return plan?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Number.NaN;
    };
    await sql('ALTER TABLE counter_changes SET (autovacuum_enabled = false)');
    await sql('VACUUM ANALYZE counter_changes');
    // More often than the five custom plans that PostgreSQL tries before it caches a generic one.
    const cachePlan = async () => {
      await database.query(anyHolder, prepare);
      for (let round = 0; round < 10; round++) await countPagesRead();
    };
    if (planned === 'empty') await cachePlan();
    await sql(
      `INSERT INTO counter_changes (token_id, kind, state, entries)
     SELECT $1, 'sale', 'CLOSED', 1 FROM generate_series(1, 20000)`,
      [tokenId],
    );
    if (planned === 'full') await cachePlan();
    expect(await countPagesRead()).toBeGreaterThan(100);
    await compactCounters(test.database, new AbortController().signal);
    // Entries are marked once no transaction of the cluster can see the rows any more.
    await until(countPagesRead, (pages) => pages < 50);
    await database.close();
  },
);
