import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestDatabase,
  runSql,
  type TestDatabase,
} from '../../../../../../test/support/test-database.ts';
import { systemScope } from '../../../database/transactions/scope.ts';
import { compactOrderCounters } from '../stats/order-stats-queries.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';
import { listOrders } from './order-list-queries.ts';

let test: TestDatabase;
/** All orders of the token, in the order of their creation. */
let all: { id: string; createdAt: string; status: string }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  await runSql(
    test.ownerUrl,
    `SET search_path = keyfront;
     SELECT set_config('keyfront.is_seeding', 'on', true);
     INSERT INTO planets (number, name) VALUES (1, 'Verdane');
     INSERT INTO holders (wallet_address) VALUES ('0x${'1'.repeat(40)}');
     INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT n, holders.id, planets.id
       FROM generate_series(1, 2) AS n, holders, planets;
     INSERT INTO clients (token_id, first_name, last_name, email) SELECT n, 'Ada', 'Example', 'ada@example.org'
       FROM generate_series(1, 2) AS n;
     -- Days of very different length, with orders at both of their ends and many at the same time.
     INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at)
     SELECT token_id, id, 'F-' || token_id || '-' || n, CASE WHEN n % 5 = 0 THEN 'CANCELLED' ELSE 'PENDING' END, n, 1, 'EUR',
       timestamptz '2026-01-01 00:00Z' + (n / 7) * interval '53 minutes'
         + CASE WHEN n % 11 = 0 THEN interval '23:59:59.999' ELSE '0' END
     FROM clients, generate_series(0, CASE token_id WHEN 1 THEN 13000 ELSE 3000 END) AS n`,
  );
  all = (
    await runSql<{ id: string; createdAt: string; status: string }>(
      test.ownerUrl,
      `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
         order_status AS status
       FROM keyfront.orders WHERE token_id = 1 ORDER BY created_at, id`,
    )
  ).map((order) => order);
});
afterAll(() => test.close());

const everything: OrderFilter = {
  from: null,
  to: null,
  search: null,
  orderStatus: null,
  paymentStatus: null,
  adminApproval: null,
  clientId: null,
  clientIds: null,
  externalReference: null,
  isRefundDue: null,
  tokenId: 1,
};

async function expectPages(
  filter: OrderFilter,
  isMeant: (order: (typeof all)[number]) => boolean,
): Promise<void> {
  for (const direction of ['asc', 'desc'] as const) {
    const sort: OrderSort = { field: 'createdAt', direction };
    const meant = all.filter(isMeant);
    if (direction === 'desc') meant.reverse();
    for (const offset of [
      0,
      1999,
      2000,
      2001,
      2317,
      meant.length - 1,
      meant.length,
      meant.length + 5,
      9999,
    ]) {
      const { orders, itemCount } = await listOrders(test.database, systemScope, {
        filter,
        sort,
        start: { offset: Math.max(0, offset) },
        take: 20,
      });
      const expected = meant.slice(Math.max(0, offset), Math.max(0, offset) + 21).map(({ id }) => id);
      expect([direction, offset, orders.map(({ id }) => id)]).toEqual([direction, offset, expected]);
      expect(itemCount).toBe(meant.length);
    }
  }
}

describe('a distant page of a list', () => {
  it('equals the page found by skipping rows, before and after compaction', async () => {
    await expectPages(everything, () => true);
    await compactOrderCounters(test.database, new AbortController().signal);
    await expectPages(everything, () => true);
  });

  it('equals it with filters and with ranges of whole or partial days', async () => {
    // So many that no day is skipped for the first pages, so few that days are skipped, and none.
    for (const orderStatus of ['PENDING', 'CANCELLED', 'DELIVERED'] as const) {
      await expectPages({ ...everything, orderStatus }, ({ status }) => status === orderStatus);
    }
    const from = '2026-01-02T00:00:00.000Z';
    await expectPages({ ...everything, from: new Date(from) }, ({ createdAt }) => createdAt >= from);
    const part = '2026-01-01T10:00:00.000Z';
    await expectPages({ ...everything, from: new Date(part) }, ({ createdAt }) => createdAt >= part);
    const to = '2026-01-16T23:59:59.999Z';
    await expectPages({ ...everything, to: new Date(to) }, ({ createdAt }) => createdAt <= to);
  });

  it('equals it with a client and with a search, which the counters do not cover', {
    tags: ['long'],
  }, async () => {
    const [ada] = await runSql<{ id: string }>(
      test.ownerUrl,
      'SELECT id FROM keyfront.clients WHERE token_id = 1',
    );
    // Orders of another client, most of them on the days of a page that lies far into the list of the first.
    await runSql(
      test.ownerUrl,
      `SET search_path = keyfront;
       INSERT INTO clients (token_id, first_name, last_name, email) VALUES (1, 'Bo', 'Example', 'bo@example.org');
       INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency, created_at)
       SELECT 1, id, 'B-' || n, n, 1, 'EUR', timestamptz '2026-01-01 00:00Z' + n * interval '10 minutes'
       FROM clients, generate_series(0, 1999) AS n WHERE first_name = 'Bo'`,
    );
    await expectPages({ ...everything, clientId: ada?.id ?? '' }, () => true);
    await expectPages({ ...everything, search: { text: 'F-1-', by: ['invoiceNumber'] } }, () => true);
  });
});
