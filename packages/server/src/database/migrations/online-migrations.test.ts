import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintMigration } from '../../../../../test/support/lint-migration.ts';
import { sampleMigrations } from '../../../../../test/support/sample-migrations.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';

let test: TestDatabase;
let client: pg.Client;
let numbered: Migration[];

beforeAll(async () => {
  test = await createTestDatabase('nothing');
  const [baseline, ...others] = await readMigrations();
  await migrate({ ...test, migrations: baseline ? [baseline] : [] });
  numbered = others;
  client = new pg.Client({ connectionString: test.ownerUrl });
  await client.connect();
  await client.query('SET search_path = keyfront');
});
afterAll(async () => {
  await client.end();
  await test.close();
});

it('numbered migrations neither stop nor break running instances', async () => {
  const samples = Object.entries(sampleMigrations).map(([name, sql]) => ({ name, sql }));
  const findings: string[] = [];
  for (const migration of [...numbered, ...samples]) {
    findings.push(...(await lintMigration(client, migration)));
  }
  expect(findings).toEqual([]);
});

describe('the check of migrations', () => {
  it.each([
    [
      'ALTER TABLE orders ALTER COLUMN invoice_number TYPE varchar(500)',
      [/ changes the type of orders\.invoice_number$/],
    ],
    ['ALTER TABLE orders ADD COLUMN lint_a uuid DEFAULT gen_random_uuid()', [/ rewrites orders$/]],
    [
      'ALTER TABLE orders ADD COLUMN lint_b int NOT NULL',
      [/ requires orders\.lint_b, which running instances do not know$/],
    ],
    ['CREATE INDEX lint_c ON orders (updated_at)', [/ reads orders while nobody can write to it$/]],
    [
      'ALTER TABLE orders ADD CONSTRAINT lint_d CHECK (total_amount > -1)',
      [/ reads orders while nobody can write to it$/],
    ],
    [
      'ALTER TABLE clients ALTER COLUMN approved_at SET NOT NULL',
      [/ reads clients while nobody/, / requires clients\.approved_at/],
    ],
    [
      'ALTER TABLE audit DROP COLUMN lint_column',
      [/ removes audit\.lint_column, which running instances use$/],
    ],
    ['DROP TABLE lint_table', [/ removes lint_table, which running instances use$/]],
    ['DELETE FROM lint_other', [/ changes rows of lint_other: do that in a job, in batches$/]],
    ['-- no-transaction\nUPDATE planets SET name = name;\n', [/ runs outside of a transaction/]],
  ])('finds what is wrong with %s', async (sql, expected) => {
    await client.query(
      `ALTER TABLE audit ADD COLUMN IF NOT EXISTS lint_column int;
       CREATE TABLE IF NOT EXISTS lint_table (id int); CREATE TABLE IF NOT EXISTS lint_other (id int);
       INSERT INTO lint_other VALUES (1)`,
    );
    const findings = await lintMigration(client, { name: '9999_lint.sql', sql });
    expect(findings).toEqual(
      expect.arrayContaining(expected.map((pattern) => expect.stringMatching(pattern))),
    );
  });

  it.each([
    "ALTER TABLE orders ADD COLUMN lint_e text NOT NULL DEFAULT ''",
    'ALTER TABLE orders ADD CONSTRAINT lint_f CHECK (total_amount > -1) NOT VALID',
    'ALTER TABLE orders VALIDATE CONSTRAINT lint_f',
    'CREATE TABLE lint_g (order_id uuid NOT NULL REFERENCES orders)',
    '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS lint_h ON orders (updated_at);\n',
    "UPDATE planets SET name = name || ''",
    'ALTER TABLE orders SET (autovacuum_vacuum_scale_factor = 0.1)',
  ])('accepts %s', async (sql) => {
    expect(await lintMigration(client, { name: '9999_lint.sql', sql })).toEqual([]);
  });
});
