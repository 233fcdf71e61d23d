import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../test/support/test-database.ts';
import { recount } from './recount.ts';
import type { LoadReport } from './shoppers.ts';
import { createTrialStore, type TrialStore } from './trial-store.ts';

let testDatabase: TestDatabase;
let store: TrialStore;
let report: LoadReport;

beforeAll(async () => {
  testDatabase = await createTestDatabase('demo');
  const [{ tokenId = 0 } = {}] = await sql<{ tokenId: number }>(
    'SELECT token_id::int AS "tokenId" FROM keyfront.digital_keys LIMIT 1',
  );
  store = await createTrialStore(testDatabase.ownerUrl, tokenId, 2);
  const [clientId = '', otherId = ''] = store.clientIds;
  const [strain] = store.strains;
  const [order] = await sql<{ id: string }>(
    `WITH placed AS (
       INSERT INTO keyfront.orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       VALUES ($1, $2, 'TRIAL', 25, 2, 'EUR') RETURNING id
     ), line AS (
       INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
       SELECT id, 1, $1, $3, 'Strain', 12.5, 2 FROM placed
     ), sale AS (
       INSERT INTO keyfront.sales (token_id, client_id, order_id, stage) SELECT $1, $2, id, 'ONGOING' FROM placed
     ), taken AS (
       UPDATE keyfront.strain_locations SET stock_quantity = stock_quantity - 2 WHERE strain_id = $3
     ), filled AS (
       INSERT INTO keyfront.carts (token_id, client_id) VALUES ($1, $4) RETURNING id
     ), item AS (
       INSERT INTO keyfront.cart_items (cart_id, token_id, strain_id, quantity) SELECT id, $1, $3, 3 FROM filled
     )
     SELECT id FROM placed`,
    [tokenId, clientId, strain?.id, otherId],
  );
  report = {
    orders: new Map([[order?.id ?? '', clientId]]),
    carts: new Map([[otherId, new Map([[strain?.id ?? '', 3]])]]),
    refusedCount: 0,
  };
});
afterAll(() => testDatabase.close());

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  runSql<Row>(testDatabase.ownerUrl, text, values);
const count = () => recount(testDatabase.ownerUrl, store, report);

/** Each makes one more thing wrong. */
const changes: readonly (readonly [string, RegExp])[] = [
  [
    `UPDATE keyfront.order_counter_changes SET orders = orders + 1
     WHERE id = (SELECT max(id) FROM keyfront.order_counter_changes)`,
    /^A counter is wrong: orders .* on all days \(number\) of \d+: counted \d+, stored \d+$/,
  ],
  [
    // The sum over all days stays right.
    `UPDATE keyfront.order_counter_changes SET orders = orders - 1, day = day + 1
     WHERE id = (SELECT max(id) FROM keyfront.order_counter_changes)`,
    /^A counter is wrong: orders .* on \d{4}-\d\d-\d\d \(units\) of \d+: counted \d+, stored $/,
  ],
  [
    `UPDATE keyfront.counter_changes SET entries = entries + 1
     WHERE id = (SELECT max(id) FROM keyfront.counter_changes WHERE kind = 'cart')`,
    /^A counter is wrong: cart FILLED of \d+: counted \d+, stored \d+$/,
  ],
  [
    `SET session_replication_role = replica;
     DELETE FROM keyfront.sales WHERE order_id = (SELECT id FROM keyfront.orders WHERE invoice_number = 'TRIAL')`,
    /^The order \S+ has 0 sales$/,
  ],
  [
    `INSERT INTO keyfront.sales (token_id, client_id, stage, created_at)
     SELECT token_id, client_id, 'LEADS', created_at - interval '1 day' FROM keyfront.orders WHERE invoice_number = 'TRIAL'`,
    /^The lead \S+ did not become the sale of a later order$/,
  ],
  [
    'UPDATE keyfront.cart_items SET quantity = 6 WHERE quantity = 3',
    /^A cart contains [\w,-]*,6 and should not$/,
  ],
  ['DELETE FROM keyfront.cart_items WHERE quantity = 6', /^A cart should contain [\w,-]*,3 and does not$/],
  [
    'UPDATE keyfront.strain_locations SET stock_quantity = 999999 WHERE stock_quantity = 999998',
    /^The strain \S+ had 1000000, sold 2 and has 999999$/,
  ],
  [
    `UPDATE keyfront.orders SET total_amount = 26 WHERE invoice_number = 'TRIAL'`,
    /^The totals of the order \S+ are not those of its lines$/,
  ],
  [
    `INSERT INTO keyfront.orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
     SELECT token_id, client_id, 'TWICE', 25, 2, 'EUR' FROM keyfront.orders WHERE invoice_number = 'TRIAL'`,
    /^The order \S+ exists and was never acknowledged$/,
  ],
  [
    `SET session_replication_role = replica; DELETE FROM keyfront.orders WHERE invoice_number = 'TRIAL'`,
    /^The order \S+ was acknowledged and is lost$/,
  ],
];

it('finds everything that is wrong', { tags: ['long'] }, async () => {
  expect(await count()).toEqual([]);
  for (const [change, problem] of changes) {
    await sql(change);
    expect(await count()).toContainEqual(expect.stringMatching(problem));
  }
});
