import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import { readMigrations } from '../../database/migrations/migrations.ts';
import { divideEvenly } from './divide-evenly.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase('nothing');
});
afterAll(() => test.close());

it.each([
  [10, 1, [10]],
  [10, 3, [4, 3, 3]],
  [11, 3, [5, 3, 3]],
  [2, 3, [2, 0, 0]],
  [0, 2, [0, 0]],
  [-7, 3, [-3, -2, -2]],
])('divides %d into %d parts as %j', (units, parts, expected) => {
  expect(divideEvenly(units, parts)).toEqual(expected);
});

it('divides the stock that a strain had over its countries, and loses none', async () => {
  const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    runSql<Row>(`${test.ownerUrl}&options=-c%20search_path%3Dkeyfront`, text, values);
  const migrations = await readMigrations();
  await migrate({ ...test, migrations: migrations.filter(({ name }) => name < '0025') });
  await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
  const strains = [
    ['One', 7, ['PRT']],
    ['Three', 11, ['ZAF', 'DEU', 'PRT']],
    ['Twice', 5, ['PRT', 'DEU', 'PRT']],
    ['Few', 1, ['PRT', 'DEU']],
    ['Nowhere', 9, []],
    ['Most', 2_147_483_647, ['AUS', 'ZAF']],
  ] as const;
  for (const [name, stock, countries] of strains) {
    await sql(
      `INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency, stock_quantity, country_codes)
       SELECT id, $1, 'HYBRID', 18, 1, 10, 'EUR', $2, $3 FROM planets`,
      [name, stock, countries],
    );
  }
  await migrate({ ...test, migrations });
  const located = await sql<{ name: string; unassigned: number; locations: [string, number][] }>(
    `SELECT name, unassigned_stock AS unassigned, coalesce((
       SELECT json_agg(json_build_array(country_code, stock_quantity) ORDER BY country_code)
       FROM strain_locations WHERE strain_id = strains.id AND is_active AND retail_price IS NULL
     ), '[]') AS locations
     FROM strains ORDER BY name`,
  );
  expect(Object.fromEntries(located.map(({ name, ...stock }) => [name, stock]))).toEqual({
    One: { unassigned: 0, locations: [['PRT', 7]] },
    Three: {
      unassigned: 0,
      locations: [
        ['DEU', 3],
        ['PRT', 3],
        ['ZAF', 5],
      ],
    },
    Twice: {
      unassigned: 0,
      locations: [
        ['DEU', 2],
        ['PRT', 3],
      ],
    },
    Few: {
      unassigned: 0,
      locations: [
        ['DEU', 0],
        ['PRT', 1],
      ],
    },
    Nowhere: { unassigned: 9, locations: [] },
    Most: {
      unassigned: 0,
      locations: [
        ['AUS', 1_073_741_824],
        ['ZAF', 1_073_741_823],
      ],
    },
  });
  for (const [name, stock] of strains) {
    const after = located.find((strain) => strain.name === name);
    const sum = (after?.locations ?? []).reduce((units, [, each]) => units + each, after?.unassigned ?? 0);
    expect(sum).toBe(stock);
  }
});
