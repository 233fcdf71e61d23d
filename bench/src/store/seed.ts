import type pg from 'pg';
import type { Sizes } from '../sizes.ts';
import { createIdFunction, sqlIdOf } from './ids.ts';
import { createInvoiceNumberFunction, sqlInvoiceNumberOf } from './invoice-numbers.ts';

/** The measured digital keys. Those of the small holders have higher numbers. */
export const tokens = {
  /** Has the orders and clients given by `Sizes`. */
  large: 1,
  thousand: 2,
  hundred: 3,
  /** Has a tenth of the orders and clients of the large one, if `Sizes` asks for it. */
  tenth: 4,
} as const;
const firstSmallHolder = 10;

const strainCount = 500;
const planetCount = 8;
const holderTables = [
  'clients',
  'carts',
  'cart_items',
  'orders',
  'order_lines',
  'order_history',
  'sales',
  'sale_history',
];
/** Orders per statement. Progress is reported before each. */
const batch = 100_000;

/** Returns SQL for the three strains in the cart of client `n`, an SQL expression. The three always differ. */
export function sqlCartStrains(n: string): string[] {
  return [0, 1, 2].map((line) => `((${n}) * 7 + ${line * 167}) % ${strainCount}`);
}

/** Fills an empty, migrated database. The client must be a superuser. */
export async function seed(
  client: pg.Client,
  sizes: Sizes,
  onProgress: (message: string) => void,
): Promise<void> {
  await client.query('SET synchronous_commit = off; SET search_path = keyfront');
  await client.query(`${createIdFunction}; ${createInvoiceNumberFunction}`);
  onProgress('the catalogue and the holders');
  await client.query(seedCatalogue);
  await client.query(seedHolders(sizes));
  const dropped = await dropIndexes(client, holderTables);
  await withoutForeignKeys(client, holderTables, async () => {
    await seedHolder(client, tokens.hundred, { clients: 10, orders: 100 }, onProgress);
    await seedHolder(client, tokens.thousand, { clients: 100, orders: 1_000 }, onProgress);
    await seedHolder(client, tokens.large, sizes, onProgress);
    if (sizes.hasTenth) {
      const tenth = { clients: Math.ceil(sizes.clients / 10), orders: Math.ceil(sizes.orders / 10) };
      await seedHolder(client, tokens.tenth, tenth, onProgress);
    }
    onProgress(`the orders of ${sizes.holders} holders`);
    await client.query(seedManyHolders(sizes));
  });
  onProgress('indexes');
  await client.query(`SET maintenance_work_mem = '1GB'`);
  for (const definition of dropped) await client.query(definition);
  onProgress('statistics');
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
}

/** Puts three strains into the cart of every client of a holder. Existing items stay. */
export async function fillCarts(client: pg.Client, tokenId: number, clients: number): Promise<void> {
  const strains = sqlCartStrains('n').map((strain) => `(${sqlIdOf('strain', 0, strain)})`);
  await client.query(`
    INSERT INTO keyfront.cart_items (cart_id, strain_id, token_id, quantity)
    SELECT ${sqlIdOf('cart', tokenId, 'n')}, strain.id, ${tokenId}, 1
    FROM generate_series(0, ${clients - 1}) AS n, LATERAL (VALUES ${strains.join(', ')}) AS strain (id)
    ON CONFLICT DO NOTHING`);
}

/**
 * Drops the indexes that no constraint needs, and returns their definitions. Building them at the end is several times
 * faster.
 */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisunique AND NOT indisexclusion`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Disables foreign-key checks during the work. The seed is consistent, and the checks would take most of the time. */
async function withoutForeignKeys(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  for (const table of tables) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL; ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
  // The log keeps events for 30 days, and the seed is of three years.
  for (const table of ['clients', 'orders', 'sales']) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER record_new`);
  }
  await work();
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
}

const seedCatalogue = `
  INSERT INTO planets (id, number, name, description)
    SELECT ${sqlIdOf('planet', 0, 'n')}, n, 'Planet ' || n, repeat('A planet among others. ', 4)
    FROM generate_series(1, ${planetCount}) AS n;
  INSERT INTO strains (id, planet_id, name, description, type, thc, cbd, flavour, feelings, helps_with, retail_price,
      currency)
    SELECT ${sqlIdOf('strain', 0, 'n')}, ${sqlIdOf('planet', 0, `1 + n % ${planetCount}`)}, 'Strain ' || n,
      repeat('Grown with care. ', 4), (ARRAY['INDICA', 'SATIVA', 'HYBRID'])[1 + n % 3], n % 30, n % 10, 'Lemon',
      'Calm', 'Sleep', 10, 'EUR'
    FROM generate_series(0, ${strainCount - 1}) AS n;
  INSERT INTO strain_locations (id, strain_id, country_code, stock_quantity)
    SELECT ${sqlIdOf('location', 0, `2 * n`)}, ${sqlIdOf('strain', 0, 'n')}, 'DEU', 1000000000
    FROM generate_series(0, ${strainCount - 1}) AS n
    UNION ALL SELECT ${sqlIdOf('location', 0, `2 * n + 1`)}, ${sqlIdOf('strain', 0, 'n')}, 'PRT', 1000000000
    FROM generate_series(0, ${strainCount - 1}) AS n;`;

function seedHolders({ holders }: Sizes): string {
  const numbers = `(SELECT unnest('{${Object.values(tokens).join(',')}}'::bigint[]) AS token_id
    UNION ALL SELECT generate_series(${firstSmallHolder}, ${firstSmallHolder + holders - 1})) AS numbers`;
  return `
    BEGIN;
    INSERT INTO holders (id, wallet_address, primary_token_id)
      SELECT ${sqlIdOf('holder', 0, 'token_id')}, '0x' || lpad(to_hex(token_id), 40, '0'), token_id FROM ${numbers};
    INSERT INTO digital_keys (token_id, holder_id, planet_id)
      SELECT token_id, ${sqlIdOf('holder', 0, 'token_id')}, ${sqlIdOf('planet', 0, `1 + token_id % ${planetCount}`)}
      FROM ${numbers};
    COMMIT;`;
}

async function seedHolder(
  client: pg.Client,
  tokenId: number,
  { clients, orders }: { readonly clients: number; readonly orders: number },
  onProgress: (message: string) => void,
): Promise<void> {
  if (orders > batch) onProgress(`${clients} clients`);
  await client.query(insertClients(`${tokenId}`, 'n', `generate_series(0, ${clients - 1}) AS n`));
  await client.query(`
    INSERT INTO carts (id, token_id, client_id)
    SELECT ${sqlIdOf('cart', tokenId, 'n')}, ${tokenId}, ${sqlIdOf('client', tokenId, 'n')}
    FROM generate_series(0, ${clients - 1}) AS n`);
  await fillCarts(client, tokenId, clients);
  for (let first = 0; first < orders; first += batch) {
    const last = Math.min(first + batch, orders) - 1;
    if (orders > batch) onProgress(`${last + 1} of ${orders} orders`);
    const numbers = `generate_series(${first}, ${last}) AS n`;
    await client.query(insertOrders(`${tokenId}`, 'n', `n % ${clients}`, `n::float / ${orders}`, numbers));
  }
}

function seedManyHolders({ holders }: Sizes): string {
  const range = `generate_series(${firstSmallHolder}, ${firstSmallHolder + holders - 1}) AS token_id`;
  const clients = insertClients('token_id', 'n', `${range}, generate_series(0, 1) AS n`);
  const orders = insertOrders('token_id', 'n', 'n % 2', 'n / 3.0', `${range}, generate_series(0, 2) AS n`);
  return `${clients}; ${orders}`;
}

/** Inserts clients, each with the sale that the service creates for a new client. */
function insertClients(tokenId: string, n: string, numbers: string): string {
  return `
    INSERT INTO clients (id, token_id, first_name, last_name, email, phone_code, contact_number, shipping_address1,
      shipping_city, shipping_country, shipping_country_code, shipping_postal_code, admin_approval, is_kyc_verified)
    SELECT ${sqlIdOf('client', tokenId, n)}, ${tokenId}, 'Ada ' || ${n}, 'Customer', 'ada' || ${n} || '@example.com',
      '+49', '1512345678', 'Street ' || ${n}, 'Berlin', 'Germany', 'DEU', '10115', 'VERIFIED', true
    FROM ${numbers};
    INSERT INTO sales (token_id, client_id) SELECT ${tokenId}, ${sqlIdOf('client', tokenId, n)} FROM ${numbers}`;
}

/** Inserts orders in all states with one to three lines. `age` runs from 0 (now) to 1 (three years ago). */
function insertOrders(tokenId: string, n: string, client: string, age: string, numbers: string): string {
  return `
    INSERT INTO orders (id, token_id, client_id, invoice_number, order_status, payment_status, admin_approval,
      total_amount, total_quantity, currency, created_at, updated_at, paid_amount, refunded_amount)
    SELECT ${sqlIdOf('order', tokenId, n)}, ${tokenId}, ${sqlIdOf('client', tokenId, client)},
      ${sqlInvoiceNumberOf(tokenId, n)},
      (ARRAY['DELIVERED', 'DELIVERED', 'SHIPPED', 'PROCESSING', 'PENDING', 'CANCELLED'])[1 + ${n} % 6],
      (ARRAY['PAID', 'PAID', 'PAID', 'PROCESSING', 'PENDING', 'REFUNDED'])[1 + ${n} % 6],
      (ARRAY['VERIFIED', 'VERIFIED', 'VERIFIED', 'VERIFIED', 'PENDING', 'REJECTED'])[1 + ${n} % 6],
      10 * (1 + ${n} % 3), 1 + ${n} % 3, 'EUR', moment, moment,
      CASE WHEN ${n} % 6 IN (0, 1, 2, 5) THEN 10 * (1 + ${n} % 3) ELSE 0 END, CASE WHEN ${n} % 6 = 5 THEN 10 * (1 + ${n} % 3) ELSE 0 END
    FROM ${numbers}, LATERAL (SELECT now() - ${age} * interval '3 years' AS moment) AS times;
    INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
    SELECT ${sqlIdOf('order', tokenId, n)}, line, ${tokenId}, ${sqlIdOf('strain', 0, 'strain')}, 'Strain ' || strain, 10, 1
    FROM ${numbers}, LATERAL (
      SELECT line, (${n} * 7 + line * 167) % ${strainCount} AS strain FROM generate_series(1, 1 + ${n} % 3) AS line
    ) AS lines`;
}
