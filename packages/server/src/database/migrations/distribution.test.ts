import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';

/** The plan for several primaries. Its lists follow from the schema. */
const plan = readFileSync(
  new URL('../../../../../docs/decisions/59-more-than-one-primary.md', import.meta.url),
  'utf8',
);
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
const rowOf = (title: string) =>
  namesIn(plan.split('\n').find((line) => line.startsWith(`| ${title} |`)) ?? '');
const between = (begin: string, end: string) => plan.slice(plan.indexOf(begin), plan.indexOf(end));

const divided = rowOf('By digital key');
const copied = rowOf('A copy on every server');
const onOneServer = rowOf('One server');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const inSchema = `relnamespace = 'keyfront'::regnamespace`;
const columnsOf = (table: string, numbers: string) =>
  `ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = ${table} AND attnum = ANY (${numbers}))`;

describe('the plan for several primaries', () => {
  it('gives each table one place', async () => {
    const tables = await runSql<{ name: string; hasDigitalKey: boolean }>(
      database.ownerUrl,
      `SELECT relname::text AS name, EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'token_id') AS "hasDigitalKey"
      FROM pg_class WHERE ${inSchema} AND relkind = 'r' ORDER BY relname`,
    );
    expect([...divided, ...copied, ...onOneServer].sort()).toEqual(tables.map(({ name }) => name));
    const withDigitalKey = tables.filter(({ hasDigitalKey }) => hasDigitalKey).map(({ name }) => name);
    expect(divided.filter((name) => !withDigitalKey.includes(name))).toEqual([]);
  });

  it('lists the unique keys that lack the digital key', async () => {
    const keys = await runSql<{ name: string }>(
      database.ownerUrl,
      `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE ${inSchema} AND indisunique AND relname = ANY ($1) AND NOT 'token_id' = ANY (${columnsOf('indrelid', 'indkey')})`,
      [divided],
    );
    const named = keys.map(({ name }) => name.replace('keyfront.', '')).sort();
    expect(namesIn(between('| Unique key |', 'A foreign key between'))).toEqual(named);
  });

  it('finds the digital key in each foreign key between tables of a holder, and no other one to a table of one server', async () => {
    const broken = await runSql(
      database.ownerUrl,
      `SELECT conname FROM pg_constraint
      JOIN pg_class AS referring ON referring.oid = conrelid JOIN pg_class AS referred ON referred.oid = confrelid
      WHERE contype = 'f' AND referring.relname = ANY ($1) AND NOT (
        referred.relname = ANY ($2)
        OR referred.relname = ANY ($1) AND 'token_id' = ANY (${columnsOf('conrelid', 'conkey')})
          AND 'token_id' = ANY (${columnsOf('confrelid', 'confkey')}))`,
      [divided, copied],
    );
    expect(broken).toEqual([]);
  });

  it('lists the sequences that number rows of divided tables', async () => {
    const sequences = await runSql<{ name: string }>(
      database.ownerUrl,
      `SELECT DISTINCT sequence.relname::text AS name FROM pg_class AS sequence
      JOIN pg_depend ON pg_depend.objid = sequence.oid AND refclassid = 'pg_class'::regclass
        OR pg_depend.refobjid = sequence.oid AND pg_depend.classid = 'pg_attrdef'::regclass
      LEFT JOIN pg_attrdef ON pg_attrdef.oid = pg_depend.objid
      JOIN pg_class AS numbered ON numbered.oid = coalesce(adrelid, refobjid)
      WHERE sequence.relkind = 'S' AND numbered.relname = ANY ($1) ORDER BY 1`,
      [divided],
    );
    expect(namesIn(between('These sequences', '## What stands in the way'))).toEqual(
      sequences.map(({ name }) => name),
    );
  });
});
