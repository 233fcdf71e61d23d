import { randomInt, randomUUID } from 'node:crypto';
import { type Client, type OrderWithLines, operationList, type SandboxResetResult } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { compactCounters } from '../packages/server/src/database/queries/counters.ts';
import { compactOrderCounters } from '../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { listSale } from './support/nft-sales.ts';
import { insertManyOrders, stockOf } from './support/order-data.ts';
import { randomFrom } from './support/random-from.ts';
import { scaled } from './support/scale.ts';
import { dataOf, openSandbox, type TestCaller, type TestHolder } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, sibling, stranger, admin, service, sql, addDigitalKey } = await openSandbox();
const initialStock = 1_000_000;
const strain = await insertStrain(sql, { stock: initialStock });

/** What a reset leaves as it is: who may act for the digital key, and what the chain and signatures say about it. */
const keptTables = ['api_keys', 'digital_keys', 'nft_listings', 'nft_sales', 'transactions'];
/** Sums of other tables. They become zero, and rows may remain. */
const counterTables = [
  'client_counters',
  'counter_changes',
  'counters',
  'order_counter_changes',
  'order_counters',
];

const ask = async <Data>(caller: TestCaller, method: string, path: string, body?: object) =>
  dataOf<Data>(await caller.ask(method, path, body ? { body } : {}));
const reset = ({ tokenId, ...caller }: TestHolder) =>
  ask<SandboxResetResult>(caller, 'POST', '/sandbox/reset', { tokenId });

/** Every table with a column for the digital key, so that a new one is either reset or listed above. */
const tokenTables = (
  await sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'keyfront' AND column_name = 'token_id' AND table_name <> 'idempotency_keys'
       -- Orders of a sandbox are not archived.
       AND table_name NOT LIKE 'order_archive%' ORDER BY 1`,
  )
).map(({ name }) => name);
const otherTables = (
  await sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'keyfront' AND tablename <> ALL ($1)
       -- Stock comes back, a process renews what it shares with others, and responses are tested below.
       AND tablename <> ALL ('{strain_locations,cache_leases,idempotency_keys}') ORDER BY 1`,
    [tokenTables],
  )
).map(({ name }) => name);

/** Without when a key was last used, which the service writes some time later. */
async function dump(name: string, condition: string): Promise<string> {
  const [row] = await sql<{ content: string }>(
    `SELECT coalesce(string_agg(row_text, E'\\n' ORDER BY row_text), '') AS content
     FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row_text FROM ${name} AS t WHERE ${condition}) AS whole`,
  );
  return row?.content ?? '';
}

/** What the database holds about everybody else, by table. */
async function dumpOthers({ tokenId, holderId }: TestHolder): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const name of tokenTables) {
    // Webhooks and events of a holder who had the digital key before.
    const isOfEarlier = isOfHolder(name) ? `OR holder_id <> '${holderId}'` : '';
    entries.push([name, await dump(name, `token_id IS DISTINCT FROM ${tokenId} ${isOfEarlier}`)]);
  }
  for (const name of otherTables) entries.push([name, await dump(name, 'true')]);
  return Object.fromEntries(entries);
}

/** The rows that are only in one of two dumps. */
function listChanges(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).flatMap((name) => {
    const [old, now] = [before, after].map((each) => new Set(each[name]?.split('\n')));
    const gone = [...(old ?? [])].filter((row) => !now?.has(row)).map((row) => `- ${name} ${row}`);
    const added = [...(now ?? [])].filter((row) => !old?.has(row)).map((row) => `+ ${name} ${row}`);
    return [...gone, ...added];
  });
}

/** How many rows a table has of a digital key, without those of a holder who had it before. */
async function countRows(name: string, { tokenId, holderId }: TestHolder): Promise<number> {
  const ofHolder = isOfHolder(name) ? `AND (holder_id IS NULL OR holder_id = '${holderId}')` : '';
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int FROM ${name} WHERE token_id = $1 ${ofHolder}`,
    [tokenId],
  );
  return row?.count ?? -1;
}

const isOfHolder = (name: string) => /^(webhook|events$)/.test(name);

async function compact(): Promise<void> {
  const { signal } = new AbortController();
  await compactCounters(service.database, signal);
  await compactOrderCounters(service.database, signal);
}

const placeOrder = (caller: TestCaller, clientId: string, headers: Record<string, string> = {}) =>
  caller.ask('POST', '/dapp/orders', {
    headers,
    body: { clientId, items: [{ strainId: strain.id, quantity: 1 }] },
  });

const countOrders = async (of: TestCaller) =>
  (await ask<{ pageMetaDto: { itemCount: number } }>(of, 'GET', '/dapp/orders')).pageMetaDto.itemCount;

/** Fills every table for a digital key, and then does what the random numbers say. */
async function fill(of: TestHolder, random: (below: number) => number): Promise<string> {
  const addClient = async () => {
    const { id } = await ask<Client>(of, 'POST', '/dapp/clients', {
      firstName: 'Ada',
      lastName: 'Example',
      email: `${randomUUID()}@example.org`,
      shipping: { address1: 'Rua 1', city: 'Lisboa', countryCode: 'PRT' },
      medicalRecord: { allergies: ['penicillin'] },
    });
    await ask(of, 'PATCH', `/sandbox/clients/${id}`, { adminApproval: 'VERIFIED' });
    await ask(of, 'PUT', `/sandbox/clients/${id}/kyc-status`, { status: 'VERIFIED' });
    return id;
  };
  const addOrder = async () => dataOf<OrderWithLines>(await placeOrder(of, clientId)).id;
  const clientId = await addClient();
  const orderId = await addOrder();
  await ask(of, 'PATCH', `/sandbox/orders/${orderId}`, { adminApproval: 'VERIFIED' });
  await ask(of, 'PUT', `/sandbox/orders/${orderId}/payment-status`, { status: 'PAID' });
  await ask(of, 'POST', `/sandbox/orders/${orderId}/shipments`, { carrier: 'Comet' });
  await ask(admin, 'POST', `/admin/orders/${orderId}/refunds`, { amount: 1, reason: 'Broken' });
  await ask(of, 'POST', '/dapp/carts', { clientId, cartItems: [{ strainId: strain.id, quantity: 1 }] });
  const { id: webhookId } = await ask<{ id: string }>(of, 'POST', '/webhooks', {
    url: 'https://192.0.32.8/hook',
    eventTypes: ['*'],
  });
  await ask(of, 'POST', `/webhooks/${webhookId}/test`);
  await listSale(of, sql);
  const actions: (() => Promise<unknown>)[] = [
    addClient,
    addOrder,
    async () => ask(of, 'PATCH', `/sandbox/orders/${await addOrder()}`, { adminApproval: 'REJECTED' }),
    async () => ask(of, 'PUT', `/sandbox/orders/${await addOrder()}/payment-status`, { status: 'FAILED' }),
    async () => ask(of, 'POST', '/dapp/sales', { clientId }),
    async () => ask(of, 'DELETE', `/dapp/clients/${await addClient()}?erase=true`),
    compact,
  ];
  for (let step = 0; step < 12; step++) await actions[random(actions.length)]?.();
  return clientId;
}

describe('a reset', () => {
  const seed = randomInt(2 ** 31);
  it.each(Array.from({ length: scaled(1) }, (_, index) => seed + index))(
    'clears one digital key and changes nothing of others (seed %i)',
    { tags: ['long'] },
    async (each) => {
      const random = randomFrom(each);
      const keys = [await addDigitalKey(), sibling, stranger] as const;
      for (const key of keys) await fill(key, random);
      await compact();
      const clientIds: string[] = [];
      for (const key of keys) clientIds.push(await fill(key, random));
      // Changes that are not part of the counters yet.
      for (const [index, key] of keys.entries()) dataOf(await placeOrder(key, clientIds[index] ?? ''));
      const [wiped] = keys;
      // What a former holder of the digital key has left.
      await sql(
        `INSERT INTO webhooks (token_id, holder_id, url, event_types) VALUES ($1, $2, 'https://192.0.32.8/old', '{*}')`,
        [wiped.tokenId, stranger.holderId],
      );
      await sql(
        `INSERT INTO events (token_id, holder_id, type, snapshot) VALUES ($1, $2, 'key.created', '{}')`,
        [wiped.tokenId, stranger.holderId],
      );
      for (const name of tokenTables) {
        for (const key of keys) expect([name, await countRows(name, key)]).not.toEqual([name, 0]);
      }
      const others = await dumpOthers(wiped);
      const kept = await Promise.all(keptTables.map((name) => dump(name, `token_id = ${wiped.tokenId}`)));
      const [{ units }] = (await sql<{ units: number }>(
        `SELECT sum(quantity - restocked_quantity)::int AS units FROM order_lines JOIN orders ON orders.id = order_id
         WHERE orders.token_id <> $1 AND strain_id = $2 AND stock_returned_at IS NULL`,
        [wiped.tokenId, strain.id],
      )) as [{ units: number }];

      const counts = await reset(wiped);
      expect(counts).toMatchObject({ tokenId: wiped.tokenId, webhooks: 2 });
      expect(Math.min(counts.clients, counts.orders, counts.events)).toBeGreaterThan(0);

      expect(listChanges(others, await dumpOthers(wiped))).toEqual([]);
      expect(await Promise.all(keptTables.map((name) => dump(name, `token_id = ${wiped.tokenId}`)))).toEqual(
        kept,
      );
      for (const name of tokenTables) {
        if (keptTables.includes(name) || counterTables.includes(name)) continue;
        // The own sale of the digital key, as at the start.
        const left = name === 'sales' || name === 'sale_history' ? 1 : 0;
        expect([name, await countRows(name, wiped)]).toEqual([name, left]);
      }
      expect(await stockOf(sql, strain.id)).toBe(initialStock - units);

      // Whatever the storefront reads is what a new digital key reads.
      const fresh = await addDigitalKey();
      const read = async (of: TestHolder) => {
        const found = await Promise.all(ownReads.map(({ path }) => ask(of, 'GET', path)));
        // Both have a sale of their own.
        const [sale] = await sql<{ id: string }>('SELECT id FROM sales WHERE token_id = $1', [of.tokenId]);
        return JSON.stringify(found)
          .replaceAll(sale?.id ?? '', 'own')
          .replaceAll(/"(created|updated)At":"[^"]+"/g, '');
      };
      expect(await read(wiped)).toEqual(await read(fresh));
      await compact();
      expect(await read(wiped)).toEqual(await read(fresh));
    },
  );

  it('forgets the responses that are stored for the digital key, and no others', async () => {
    const wiped = await addDigitalKey();
    const key = randomUUID();
    const replies = async (caller: TestCaller, clientId: string) => {
      const reply = await placeOrder(caller, clientId, { 'idempotency-key': key });
      return [reply.status, reply.headers.get('idempotent-replayed')];
    };
    const [own, other] = [await insertClient(sql, wiped.tokenId), await insertClient(sql, sibling.tokenId)];
    for (const [caller, { id }] of [[wiped, own] as const, [sibling, other] as const]) {
      expect(await replies(caller, id)).toEqual([201, null]);
    }
    await reset(wiped);
    expect(await replies(wiped, own.id)).toEqual([404, null]);
    expect(await replies(sibling, other.id)).toEqual([201, 'true']);
  });

  it('forgets the responses that are stored for the wallet with the digital key, and no others', async () => {
    const actFor = ({ tokenId }: TestHolder) =>
      sql('UPDATE holders SET primary_token_id = $2 WHERE id = $1', [holder.holderId, tokenId]);
    const replayed = async (key: TestHolder) => {
      await actFor(key);
      const reply = await holder.signedIn.ask('POST', '/webhooks', {
        headers: { 'idempotency-key': `webhook of ${key.tokenId}` },
        body: { url: 'https://192.0.32.8/hook', eventTypes: ['*'] },
      });
      return [reply.status, reply.headers.get('idempotent-replayed')];
    };
    for (const key of [sibling, holder]) expect(await replayed(key)).toEqual([201, null]);
    await reset(holder);
    expect(await replayed(holder)).toEqual([201, null]);
    expect(await replayed(sibling)).toEqual([201, 'true']);
    await actFor(holder);
  });

  it('that is repeated meanwhile, or at the same time, returns the counts of the first one', async () => {
    const wiped = await addDigitalKey();
    const path = '/sandbox/reset';
    const send = (caller: TestCaller, key: string) =>
      caller.ask('POST', path, { headers: { 'idempotency-key': key }, body: { tokenId: wiped.tokenId } });
    for (let round = 0; round < 3; round++) {
      // Several batches, so that both would find something.
      for (let index = 0; index < 250; index++) await insertClient(sql, wiped.tokenId);
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 4 }, () => send(wiped, key)));
      for (const reply of replies) {
        expect(dataOf<SandboxResetResult>(reply)).toMatchObject({ clients: 250, orders: 0 });
      }
      const replays = replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
      expect(replays).toHaveLength(3);
    }
  });

  it('counts what it has deleted itself, also beside another one', async () => {
    const wiped = await addDigitalKey();
    for (let index = 0; index < 250; index++) await insertClient(sql, wiped.tokenId);
    const counts = await Promise.all([reset(wiped), reset(wiped)]);
    expect(counts.map(({ clients }) => clients).sort()).toEqual([0, 250]);
  });

  it('needs the digital key of the caller as a confirmation', async () => {
    const reply = await sibling.ask('POST', '/sandbox/reset', { body: { tokenId: stranger.tokenId } });
    expect([reply.status, reply.envelope.data]).toEqual([
      400,
      [`tokenId must be ${sibling.tokenId}, the digital key that the request acts for`],
    ]);
  });

  it('of a busy digital key leaves whole orders and right counters', { tags: ['long'] }, async () => {
    const busy = await addDigitalKey();
    let isOver = false;
    const storefronts = Array.from({ length: 4 }, async () => {
      const statuses = new Set<number>();
      while (!isOver) {
        const created = await busy.ask('POST', '/dapp/clients', {
          body: {
            firstName: 'Ada',
            lastName: 'Example',
            email: `${randomUUID()}@example.org`,
            shipping: { address1: 'Rua 1', city: 'Lisboa', countryCode: 'PRT' },
          },
        });
        const { id } = dataOf<Client>(created);
        const steps = [
          () => busy.ask('PATCH', `/sandbox/clients/${id}`, { body: { adminApproval: 'VERIFIED' } }),
          () => busy.ask('PUT', `/sandbox/clients/${id}/kyc-status`, { body: { status: 'VERIFIED' } }),
          () => busy.ask('POST', '/dapp/sales', { body: { clientId: id } }),
          () => placeOrder(busy, id),
        ];
        for (const step of steps) statuses.add((await step()).status);
        const { orders } = await ask<{ orders: OrderWithLines[] }>(busy, 'GET', '/dapp/orders?take=1');
        for (const order of orders) {
          const path = `/sandbox/orders/${order.id}`;
          statuses.add((await busy.ask('PATCH', path, { body: { adminApproval: 'VERIFIED' } })).status);
          statuses.add(
            (await busy.ask('PUT', `${path}/payment-status`, { body: { status: 'PAID' } })).status,
          );
          statuses.add((await busy.ask('POST', `${path}/shipments`, { body: { carrier: 'Comet' } })).status);
        }
      }
      return [...statuses];
    });
    const resets = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const counts: SandboxResetResult[] = [];
        for (let round = 0; round < 10; round++) {
          await expect.poll(() => countOrders(busy), { timeout: 60_000 }).toBeGreaterThan(0);
          counts.push(await reset(busy));
        }
        return counts;
      }),
    );
    isOver = true;
    const seen = new Set((await Promise.all(storefronts)).flat());
    // Done, or not there any more, or sent by another storefront: never a fault.
    expect([...seen].filter((status) => ![200, 201, 403, 404].includes(status))).toEqual([]);
    expect(resets.flat().some(({ orders }) => orders > 0)).toBe(true);
    const [row] = await sql<{ orders: number; broken: number; counted: number; stock: number }>(
      `SELECT (SELECT count(*) FROM orders WHERE token_id = $1)::int AS orders,
         (SELECT count(*) FROM orders WHERE token_id = $1
            AND (NOT EXISTS (SELECT FROM order_lines WHERE order_id = orders.id)
              OR NOT EXISTS (SELECT FROM order_history WHERE order_id = orders.id)
              OR NOT EXISTS (SELECT FROM sales WHERE order_id = orders.id)))::int AS broken,
         (SELECT coalesce(sum(orders), 0) FROM (
            SELECT orders FROM order_counters WHERE token_id = $1 AND day = '-infinity'
            UNION ALL SELECT orders FROM order_counter_changes WHERE token_id = $1) AS counts)::int AS counted`,
      [busy.tokenId],
    );
    expect(row).toEqual({ orders: row?.orders, broken: 0, counted: row?.orders });
    await reset(busy);
    expect(await countOrders(busy)).toBe(0);
  });

  it('of a large digital key lets others order meanwhile', { tags: ['long'] }, async () => {
    const large = await addDigitalKey();
    for (let index = 0; index < 20; index++) await insertClient(sql, large.tokenId);
    await insertManyOrders(service.ownerUrl, large.tokenId, 3_000);
    await sql(
      `INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
       SELECT id, 1, token_id, $2, 'Strain', 10, 1 FROM orders WHERE token_id = $1`,
      [large.tokenId, strain.id],
    );
    const before = await stockOf(sql, strain.id);
    const { id: clientId } = await insertClient(sql, stranger.tokenId);
    let isOver = false;
    const resetting = reset(large).finally(() => {
      isOver = true;
    });
    let placed = 0;
    // Of the same strain, whose stock comes back meanwhile.
    while (!isOver) {
      dataOf(await placeOrder(stranger, clientId));
      placed++;
    }
    expect(await resetting).toMatchObject({ orders: 3_000, clients: 20 });
    expect(placed).toBeGreaterThan(10);
    expect(await stockOf(sql, strain.id)).toBe(before + 3_000 - placed);
  });

  const ownReads = operationList.filter(
    ({ tag, method, parameters, query, stream }) =>
      method === 'GET' &&
      ['Clients', 'Carts', 'Orders', 'Sales', 'Dashboard', 'Webhooks'].includes(tag) &&
      !parameters &&
      !query?.required?.length &&
      !stream,
  );
});
