import type { DecisionResults } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { stockOf } from '../../support/order-data.ts';
import { scaled } from '../../support/scale.ts';
import { dataOf, openStorefront, type TestHolder } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, stranger, admin, sql } = await openStorefront();

/** As many as a request may have, in the long tests. */
const count = scaled(125);

it('rejects many orders in one request while two shops order the same strains, without a deadlock', async () => {
  const initial = 10_000;
  const strains: string[] = [];
  while (strains.length < 3) strains.push((await insertStrain(sql, { stock: initial })).id);
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const rows = await sql<{ id: string }>(
    `WITH placed AS (
       INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency, shipping)
       SELECT $1::bigint, $2, 'BULK-' || $1::text || '-' || n, 30, 3, 'EUR', '{"countryCode": "PRT"}' FROM generate_series(1, $4::integer) AS n
       RETURNING id
     ), lines AS (
       INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
       SELECT placed.id, number, $1::bigint, strain_id, 'x', 10, 1 FROM placed, unnest($3::uuid[]) WITH ORDINALITY AS line (strain_id, number)
     )
     SELECT id FROM placed`,
    [holder.tokenId, clientId, strains, count],
  );
  const countDeadlocks = async () =>
    (
      await sql<{ deadlocks: string }>(
        `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
      )
    )[0]?.deadlocks;
  const before = await countDeadlocks();

  let isDeciding = true;
  let ordered = 0;
  const shop = async (caller: TestHolder) => {
    const { id } = await insertClient(sql, caller.tokenId);
    for (let turn = 0; isDeciding; turn++) {
      // In another order each time.
      const items = strains.map((_, at) => ({ strainId: strains[(at + turn) % 3], quantity: 1 }));
      dataOf(await caller.ask('POST', '/dapp/orders', { body: { clientId: id, items } }));
      ordered++;
    }
  };
  const body = { adminApproval: 'REJECTED', ids: rows.map(({ id }) => id) };
  const deciding = admin.ask('POST', '/admin/orders/decisions', { body }).finally(() => {
    isDeciding = false;
  });
  await Promise.all([holder, holder, stranger, stranger].map(shop));
  const { results } = dataOf<DecisionResults>(await deciding);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(count).fill('CHANGED'));
  expect(ordered).toBeGreaterThan(3);
  for (const strainId of strains) expect(await stockOf(sql, strainId)).toBe(initial + count - ordered);
  expect(await countDeadlocks()).toBe(before);
});
