import { runSql } from './run-sql.ts';
import type { LoadReport } from './shoppers.ts';
import type { TrialStore } from './trial-store.ts';

export interface RecountOptions {
  /**
   * Whether the database may lack what was acknowledged last, as a backup does that was taken before. It must be consistent
   * all the same.
   */
  readonly isEarlier?: boolean;
}

/**
 * Counts everything again and returns a sentence for each difference: orders that are lost, doubled or do not add up, stock
 * that was oversold, carts with other content, and counters that do not match the rows they count.
 */
export async function recount(
  ownerUrl: string,
  store: TrialStore,
  report: LoadReport,
  { isEarlier = false }: RecountOptions = {},
): Promise<string[]> {
  const checks = [
    ...(isEarlier
      ? []
      : [findLostOrDoubled(ownerUrl, store, report), findWrongCarts(ownerUrl, store, report)]),
    findWrongTotals(ownerUrl),
    findWrongStock(ownerUrl, store),
    findWrongOrderCounters(ownerUrl),
    findWrongCartCounters(ownerUrl),
  ];
  return (await Promise.all(checks)).flat();
}

async function findLostOrDoubled(
  ownerUrl: string,
  store: TrialStore,
  { orders }: LoadReport,
): Promise<string[]> {
  const rows = await runSql<{ id: string; clientId: string }>(
    ownerUrl,
    'SELECT id, client_id AS "clientId" FROM keyfront.orders WHERE client_id = ANY ($1)',
    [store.clientIds],
  );
  const stored = new Map(rows.map(({ id, clientId }) => [id, clientId]));
  const lost = [...orders].filter(([id, clientId]) => stored.get(id) !== clientId);
  const unknown = rows.filter(({ id }) => !orders.has(id));
  return [
    ...lost.map(([id]) => `The order ${id} was acknowledged and is lost`),
    ...unknown.map(({ id }) => `The order ${id} exists and was never acknowledged`),
  ];
}

async function findWrongCarts(ownerUrl: string, store: TrialStore, { carts }: LoadReport): Promise<string[]> {
  const rows = await runSql<{ clientId: string; strainId: string; quantity: number }>(
    ownerUrl,
    `SELECT client_id AS "clientId", strain_id AS "strainId", quantity
     FROM keyfront.cart_items JOIN keyfront.carts ON carts.id = cart_id WHERE client_id = ANY ($1)`,
    [store.clientIds],
  );
  const describe = (lines: readonly (readonly [string, string, number])[]) => lines.map(String).toSorted();
  const actual = describe(rows.map(({ clientId, strainId, quantity }) => [clientId, strainId, quantity]));
  const expected = describe(
    [...carts].flatMap(([clientId, cart]) =>
      [...cart].map(([strainId, quantity]) => [clientId, strainId, quantity] as const),
    ),
  );
  return [
    ...expected
      .filter((line) => !actual.includes(line))
      .map((line) => `A cart should contain ${line} and does not`),
    ...actual
      .filter((line) => !expected.includes(line))
      .map((line) => `A cart contains ${line} and should not`),
  ];
}

async function findWrongTotals(ownerUrl: string): Promise<string[]> {
  const rows = await runSql<{ id: string }>(
    ownerUrl,
    `SELECT orders.id FROM keyfront.orders LEFT JOIN keyfront.order_lines ON order_id = orders.id GROUP BY orders.id
     HAVING total_amount IS DISTINCT FROM sum(line_amount) + delivery_charge OR total_quantity IS DISTINCT FROM sum(quantity)`,
  );
  return rows.map(({ id }) => `The totals of the order ${id} are not those of its lines`);
}

async function findWrongStock(ownerUrl: string, store: TrialStore): Promise<string[]> {
  const rows = await runSql<{ id: string; stock: number; sold: number }>(
    ownerUrl,
    `SELECT strains.id, stock_quantity AS stock, coalesce((
       SELECT sum(quantity) FROM keyfront.order_lines JOIN keyfront.orders ON orders.id = order_id
       WHERE order_lines.strain_id = strains.id AND stock_returned_at IS NULL
     ), 0)::int AS sold
     FROM keyfront.strains JOIN keyfront.strain_locations ON strain_id = strains.id WHERE strains.id = ANY ($1)`,
    [store.strains.map(({ id }) => id)],
  );
  return store.strains.flatMap(({ id, initialStock }) => {
    const row = rows.find((each) => each.id === id);
    if (!row) return [`The strain ${id} is lost`];
    if (row.stock >= 0 && row.stock + row.sold === initialStock) return [];
    return [`The strain ${id} had ${initialStock}, sold ${row.sold} and has ${row.stock}`];
  });
}

/** The counters are right as the sum of the compacted ones and of the changes since, by day and over all days. */
async function findWrongOrderCounters(ownerUrl: string): Promise<string[]> {
  const group = 'token_id, order_status, payment_status, admin_approval, currency';
  const rows = await runSql<{ token_id: number; kind: string }>(
    ownerUrl,
    `WITH actual AS (
       SELECT ${group}, count(*) AS orders, sum(total_quantity) AS quantity, sum(total_amount) AS amount
       FROM keyfront.orders GROUP BY ${group}
     ), counted AS (
       SELECT kind, ${group}, sum(orders) AS orders, sum(quantity) AS quantity, sum(amount) AS amount FROM (
         SELECT CASE WHEN day = '-infinity' THEN 'all days' ELSE 'single days' END AS kind, ${group}, orders, quantity,
           amount FROM keyfront.order_tallies
         UNION ALL SELECT kind, ${group}, orders, quantity, amount
         FROM keyfront.order_tally_changes, unnest(ARRAY['all days', 'single days']) AS kind
       ) AS both_kinds GROUP BY kind, ${group}
     )
     SELECT kind, token_id FROM counted FULL JOIN (
       SELECT kind, actual.* FROM actual, unnest(ARRAY['all days', 'single days']) AS kind
     ) AS actual USING (kind, ${group})
     WHERE (coalesce(counted.orders, 0), coalesce(counted.quantity, 0), coalesce(counted.amount, 0))
       <> (coalesce(actual.orders, 0), coalesce(actual.quantity, 0), coalesce(actual.amount, 0))`,
  );
  return rows.map(
    ({ token_id, kind }) => `The order counters (${kind}) of the digital key ${token_id} are wrong`,
  );
}

async function findWrongCartCounters(ownerUrl: string): Promise<string[]> {
  const rows = await runSql<{ token_id: number }>(
    ownerUrl,
    `SELECT token_id FROM (
       SELECT token_id, sum(entries) AS carts FROM (
         SELECT token_id, kind, entries FROM keyfront.tallies
         UNION ALL SELECT token_id, kind, entries FROM keyfront.tally_changes
       ) AS both_kinds WHERE kind = 'cart' GROUP BY token_id
     ) AS counted FULL JOIN (
       SELECT token_id, count(DISTINCT cart_id) AS carts FROM keyfront.cart_items GROUP BY token_id
     ) AS actual USING (token_id)
     WHERE coalesce(counted.carts, 0) <> coalesce(actual.carts, 0)`,
  );
  return rows.map(({ token_id }) => `The cart counters of the digital key ${token_id} are wrong`);
}
