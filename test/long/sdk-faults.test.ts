import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keyfront } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { faults, startFlakyProxy } from '../support/flaky-proxy.ts';
import { startGuardedApp } from '../support/guarded-app.ts';
import { randomFrom } from '../support/random-from.ts';
import { runSql } from '../support/test-database.ts';

const seed = Number(process.env.SDK_FAULTS_SEED ?? 20_261_115);
const orders = Number(process.env.SDK_FAULTS_ORDERS ?? 200);
const concurrency = 10;

/** Creates clients of the first digital key who may order, and a strain with enough stock for all of them. */
async function insertStore(ownerUrl: string): Promise<{ clientIds: string[]; strainId: string }> {
  const clients = await runSql<{ id: string }>(
    ownerUrl,
    `INSERT INTO keyfront.clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active,
       shipping_address1, shipping_country_code)
     SELECT 1, 'Ada', 'Example', n || '@example.org', 'VERIFIED', true, true, 'Rua do Exemplo 1', 'PRT' FROM generate_series(1, $1::int) AS n
     RETURNING id`,
    [orders],
  );
  const [strain] = await runSql<{ id: string }>(
    ownerUrl,
    `WITH strain AS (
       INSERT INTO keyfront.strains (planet_id, name, type, thc, cbd, retail_price, currency)
       SELECT id, 'Lunar Saffron', 'HYBRID', 18, 1, 12.50, 'EUR' FROM keyfront.planets RETURNING id
     )
     INSERT INTO keyfront.strain_locations (strain_id, country_code, stock_quantity) SELECT id, 'PRT', $1 FROM strain
     RETURNING strain_id AS id`,
    [2 * orders],
  );
  return { clientIds: clients.map(({ id }) => id), strainId: strain?.id ?? '' };
}

/** Does the work for all items, several at a time. */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

it(`creates exactly ${orders} orders over a connection that fails half of the time (seed ${seed})`, async () => {
  const service = await startGuardedApp();
  const random = randomFrom(seed);
  const proxy = await startFlakyProxy(service.origin, () =>
    random(2) === 0 ? (faults[random(faults.length)] ?? null) : null,
  );
  try {
    const { clientIds, strainId } = await insertStore(service.ownerUrl);
    const keyfront = new Keyfront({
      baseUrl: proxy.origin,
      apiKey: service.key.apiKey,
      secretKey: readFileSync(service.key.file),
      maxAttempts: 1000,
      backoff: { baseMs: 1, capMs: 20 },
      // `Retry-After` is in whole seconds, which would take too long in a test.
      runtime: { delay: (ms) => sleep(Math.min(ms, 25)) },
    });
    const placed: string[] = [];
    await forEachConcurrently(clientIds, async (clientId) => {
      await keyfront.carts.add({ clientId, cartItems: [{ strainId, quantity: 1 }] });
      placed.push((await keyfront.orders.create({ clientId })).id);
    });

    expect(new Set(placed).size).toBe(orders);
    const [stored] = await runSql<{ count: number; clients: number; units: number; stock: number }>(
      service.ownerUrl,
      `SELECT count(*)::int, count(DISTINCT client_id)::int AS clients, sum(total_quantity)::int AS units,
         (SELECT stock_quantity FROM keyfront.strain_locations) AS stock FROM keyfront.orders`,
    );
    // One unit each: an addition to a cart that was made twice would show here.
    expect(stored).toEqual({ count: orders, clients: orders, units: orders, stock: orders });
    // Every kind of fault occurred, and often enough.
    for (const fault of faults) expect(proxy.counts.get(fault)).toBeGreaterThan(orders / 20);
  } finally {
    await proxy.close();
    await service.close();
  }
});
