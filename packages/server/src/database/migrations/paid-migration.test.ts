import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';

const name = '0024_paid.sql';
let test: TestDatabase;
let role: string;
let ownerUrl: string;

/** Runs statements as a superuser, past all policies. */
const sql = <Row extends object = object>(text: string, values: unknown[] = []) =>
  runSql<Row>(test.ownerUrl, text, values);

beforeAll(async () => {
  test = await createTestDatabase('nothing');
  const database = new URL(test.ownerUrl).pathname.slice(1);
  role = `owner_of_${database}`;
  // Row-level security holds an owner who is no superuser.
  await runSql(
    test.ownerUrl,
    `CREATE ROLE ${role} LOGIN PASSWORD 'x'; ALTER DATABASE ${database} OWNER TO ${role};
     GRANT keyfront_service, keyfront_platform TO ${role}`,
  );
  const url = new URL(test.ownerUrl);
  url.username = role;
  url.password = 'x';
  ownerUrl = url.href;
});
afterAll(async () => {
  await runSql(
    test.ownerUrl,
    `DROP OWNED BY ${role} CASCADE; ALTER DATABASE ${new URL(ownerUrl).pathname.slice(1)} OWNER TO CURRENT_USER`,
  );
  await runSql(test.ownerUrl, `DROP ROLE ${role}`);
  await test.close();
});

const countBy = async (status: string) => {
  const [row] = await sql<{ orders: number; amount: string }>(
    `SELECT coalesce(sum(orders), 0)::int AS orders, coalesce(sum(amount), 0)::text AS amount FROM (
       SELECT orders, amount, payment_status FROM keyfront.order_tallies WHERE day = '-infinity'
       UNION ALL SELECT orders, amount, payment_status FROM keyfront.order_tally_changes
     ) AS tallies WHERE payment_status = $1`,
    [status],
  );
  return row;
};

it('renames stored payments without a trace, also those that an older instance still writes', async () => {
  const migrations = await readMigrations();
  const place = migrations.findIndex((each) => each.name === name);
  await migrate({ ownerUrl, loginUrl: ownerUrl, migrations: migrations.slice(0, place) });
  const clientId = randomUUID();
  await runSql(
    test.ownerUrl,
    `WITH planet AS (INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane') RETURNING id),
     holder AS (INSERT INTO keyfront.holders (wallet_address) VALUES ('0x${'1'.repeat(40)}') RETURNING id)
     INSERT INTO keyfront.digital_keys (token_id, holder_id, planet_id) SELECT 1, holder.id, planet.id FROM holder, planet;
     INSERT INTO keyfront.clients (token_id, id, first_name, last_name, email)
       VALUES (1, '${clientId}', 'Ada', 'Example', 'ada@example.org');
     INSERT INTO keyfront.orders (token_id, client_id, invoice_number, payment_status, total_amount, total_quantity,
       currency, created_at, updated_at)
     SELECT 1, '${clientId}', 'KF-' || n, CASE n % 2 WHEN 0 THEN 'COMPLETED' ELSE 'PENDING' END, 10.25, 1, 'EUR',
       '2026-01-01Z', '2026-01-02Z'
     FROM generate_series(1, 2500) AS n`,
  );
  const histories = await sql('SELECT FROM keyfront.order_history');

  await migrate({ ownerUrl, loginUrl: ownerUrl, migrations: migrations.slice(0, place + 1) });
  expect(
    await sql(
      `SELECT payment_status, count(*)::int, min(updated_at) AS first, max(updated_at) AS last FROM keyfront.orders
       GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual(
    ['PAID', 'PENDING'].map((payment_status) => ({
      payment_status,
      count: 1250,
      first: new Date('2026-01-02Z'),
      last: new Date('2026-01-02Z'),
    })),
  );
  expect(
    await sql('SELECT payment_status, count(*)::int FROM keyfront.order_history GROUP BY 1 ORDER BY 1'),
  ).toEqual([
    { payment_status: 'PAID', count: 1250 },
    { payment_status: 'PENDING', count: 1250 },
  ]);
  expect(histories).toHaveLength(2500);
  expect(await countBy('PAID')).toEqual({ orders: 1250, amount: '12812.50' });
  expect(await countBy('COMPLETED')).toEqual({ orders: 0, amount: '0.00' });

  await sql(`UPDATE keyfront.orders SET payment_status = 'COMPLETED' WHERE invoice_number = 'KF-1'`);
  const [late] = await sql<{ payment_status: string; updated_at: Date }>(
    `SELECT payment_status, updated_at FROM keyfront.orders WHERE invoice_number = 'KF-1'`,
  );
  expect(late?.payment_status).toBe('PAID');
  expect(late?.updated_at.getTime()).toBeGreaterThan(Date.parse('2026-01-02Z'));
  expect(await sql('SELECT FROM keyfront.order_history')).toHaveLength(2501);
  await expect(
    sql(`UPDATE keyfront.orders SET payment_status = 'SETTLED' WHERE invoice_number = 'KF-1'`),
  ).rejects.toThrow('orders_payment_status_check');
  expect(
    await runSql(
      test.ownerUrl,
      `SELECT relname FROM pg_class WHERE relnamespace = 'keyfront'::regnamespace AND relkind = 'r'
         AND relrowsecurity AND NOT relforcerowsecurity`,
    ),
  ).toEqual([]);
});
