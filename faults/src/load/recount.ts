import { findWrongCounters } from './find-wrong-counters.ts';
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
 * that was oversold, carts with other content, orders without their sale, and counters that do not match the rows they count.
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
    findWrongStock(ownerUrl, store),
    findContradictions(ownerUrl),
  ];
  return (await Promise.all(checks)).flat();
}

/** What must be true after every trial, whoever has written: the totals of orders, their sales, and all counters. */
export async function findContradictions(ownerUrl: string): Promise<string[]> {
  const counters = findWrongCounters((text, values) => runSql(ownerUrl, text, values)).then((wrong) =>
    wrong.map(({ problem }) => `A counter is wrong: ${problem}`),
  );
  const checks = [findWrongTotals(ownerUrl), findWrongSales(ownerUrl), counters];
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

/** Each order has one sale. The first order of a client takes the lead that there was before. */
async function findWrongSales(ownerUrl: string): Promise<string[]> {
  const orders = await runSql<{ id: string; sales: number }>(
    ownerUrl,
    `SELECT orders.id, count(sales.id)::int AS sales FROM keyfront.orders LEFT JOIN keyfront.sales
       ON sales.order_id = orders.id AND sales.client_id = orders.client_id AND sales.token_id = orders.token_id
     GROUP BY orders.id HAVING count(sales.id) <> 1`,
  );
  const leads = await runSql<{ id: string }>(
    ownerUrl,
    `SELECT id FROM keyfront.sales WHERE stage = 'LEADS' AND EXISTS (
       SELECT FROM keyfront.orders WHERE orders.client_id = sales.client_id AND orders.created_at > sales.created_at
     )`,
  );
  return [
    ...orders.map(({ id, sales }) => `The order ${id} has ${sales} sales`),
    ...leads.map(({ id }) => `The lead ${id} did not become the sale of a later order`),
  ];
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
