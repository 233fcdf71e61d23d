import { randomUUID } from 'node:crypto';
import { statement } from '@keyfront/postgres';
import type { CreatedOrder } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { findWrongCounters } from '../faults/src/load/find-wrong-counters.ts';
import { systemScope } from '../packages/server/src/database/transactions/scope.ts';
import { Gate } from './support/gated-database.ts';
import {
  dataOf,
  openStorefront,
  type Reply,
  type TestCaller,
  type TestHolder,
} from './support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from './support/storefront-data.ts';

// Orders of one holder that arrive at the same time share a transaction. Each must have the outcome that it has alone.
const { addWallet, stranger, service, sql } = await openStorefront();

type Send = () => Promise<Reply>;

const lockClients = statement('test.lock-clients', 'SELECT FROM clients WHERE id = ANY ($1) FOR UPDATE');

/**
 * Sends the requests while two orders of the same holder wait for their clients, so that the others wait for a transaction to
 * share. These clients stay locked until the others are done; `locked` are further ones.
 */
async function sendTogether(
  { tokenId, ...caller }: TestHolder,
  requests: readonly Send[],
  locked: readonly string[] = [],
): Promise<{ replies: Reply[]; delayed: Reply[] }> {
  const strain = await insertStrain(sql);
  const items = [{ strainId: strain.id, quantity: 1 }];
  const clientIds = [await clientWithCart(tokenId, items), await clientWithCart(tokenId, items)];
  const gate = new Gate();
  const locking = service.database.transaction(systemScope, async (tx) => {
    await tx(lockClients, [[...clientIds, ...locked]]);
    await gate.pass();
  });
  await gate.reached;
  const delaying = clientIds.map((clientId) => caller.ask('POST', '/dapp/orders', { body: { clientId } }));
  await expect.poll(() => countWaiting()).toBe(2);
  try {
    return { replies: await Promise.all(requests.map((send) => send())), delayed: await openAndWait() };
  } finally {
    gate.open();
    await locking;
  }

  async function openAndWait() {
    gate.open();
    return Promise.all(delaying);
  }
}

/** How many transactions wait for a lock in a statement like this one, by default that which locks a client. */
async function countWaiting(pattern = '%checkout.member%'): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [pattern],
  );
  return row?.count ?? 0;
}

async function clientWithCart(
  tokenId: number,
  items: readonly { strainId: string; quantity: number }[],
): Promise<string> {
  const { id } = await insertClient(sql, tokenId);
  await insertCart(sql, tokenId, id, items);
  return id;
}

const order = (caller: TestCaller, body: object, headers = {}): Send =>
  caller.prepare('POST', '/dapp/orders', { body, headers });

const outcomeOf = ({ status, envelope }: Reply): string => envelope.code ?? String(status);

/** How many transactions have placed these orders. */
async function countTransactions(replies: readonly Reply[]): Promise<number> {
  const ids = replies.map((reply) => dataOf<CreatedOrder>(reply).id);
  const [row] = await sql<{ count: number }>(
    `SELECT count(DISTINCT xmin::text)::int FROM events
     WHERE type = 'order.created' AND snapshot ->> 'id' = ANY ($1)`,
    [ids],
  );
  return row?.count ?? 0;
}

describe('orders that share a transaction', () => {
  it('are placed as they are alone, with lines, history, sale, events, counters and stock', async () => {
    const holder = await addWallet();
    const { tokenId } = holder;
    const strains = [
      await insertStrain(sql, { stock: 100, price: 5 }),
      await insertStrain(sql, { stock: 11 }),
    ];
    const [first, second] = strains.map(({ id }) => id);
    if (!first || !second) throw new Error('There are two strains');
    const withLead = await clientWithCart(tokenId, [{ strainId: first, quantity: 2 }]);
    const twice = (await insertClient(sql, tokenId)).id;
    await sql(
      `INSERT INTO sales (token_id, client_id, stage, description)
       VALUES ($1, $2, 'LEADS', 'the only one'), ($1, $3, 'LEADS', 'the older'), ($1, $3, 'LEADS', 'the newer')`,
      [tokenId, withLead, twice],
    );
    const carts = await Promise.all(
      Array.from({ length: 8 }, () =>
        clientWithCart(tokenId, [
          { strainId: first, quantity: 1 },
          { strainId: second, quantity: 1 },
        ]),
      ),
    );
    const direct = { clientId: twice, items: [{ strainId: second, quantity: 1 }] };
    const requests = [
      order(holder, { clientId: withLead, note: 'Leave it at the door' }),
      ...carts.map((clientId) => order(holder.bound, { clientId }, { 'idempotency-key': randomUUID() })),
      order(holder, direct),
      order(holder, direct),
      order(holder, { ...direct, paymentFlow: 'DIRECT' }),
    ];
    const before = { ...service.database.sharedRequests };
    const { replies, delayed } = await sendTogether(holder, requests);
    expect(replies.map(outcomeOf)).toEqual(requests.map(() => '201'));
    expect(delayed.map(outcomeOf)).toEqual(['201', '201']);
    expect(await countTransactions(replies)).toBeLessThan(requests.length);
    const { committed, repeated } = service.database.sharedRequests;
    expect(committed).toBeGreaterThan(before.committed);
    expect(repeated).toBe(before.repeated);

    for (const reply of replies) {
      const placed = dataOf<CreatedOrder>(reply);
      const read = await holder.ask('GET', `/dapp/orders/${placed.id}`);
      const { payUrl: _none, ...expected } = placed;
      expect(dataOf(read)).toMatchObject(expected);
      const history = await holder.ask('GET', `/dapp/orders/${placed.id}/history`);
      expect(history.text).toContain('"author":"HOLDER"');
    }
    expect(dataOf<CreatedOrder>(replies.at(-1) as Reply).payUrl).toContain('https://');
    const sales = await sql<{ stage: string; description: string; clientId: string }>(
      `SELECT stage, description, client_id AS "clientId" FROM sales
       WHERE order_id = ANY ($1) ORDER BY description`,
      [replies.map((reply) => dataOf<CreatedOrder>(reply).id)],
    );
    expect(sales.map(({ stage }) => stage)).toEqual(requests.map(() => 'ONGOING'));
    // The two leads of one client became the sales of two of its orders, and the third order has opened one.
    expect(sales.filter(({ clientId }) => clientId === twice).map(({ description }) => description)).toEqual([
      '',
      'the newer',
      'the older',
    ]);
    const stock = await sql(
      'SELECT stock_quantity AS stock FROM strain_locations WHERE strain_id = ANY ($1) ORDER BY 1',
      [[first, second]],
    );
    expect(stock).toEqual([{ stock: 0 }, { stock: 90 }]);
    const events = await sql(
      `SELECT type, count(*)::int FROM events
       WHERE token_id = $1 AND type ~ '^(order|sale)' OR type = 'strain.out_of_stock' AND snapshot ->> 'id' = $2
       GROUP BY type ORDER BY type`,
      [tokenId, second],
    );
    expect(events).toEqual([
      { type: 'order.created', count: 14 },
      // Three leads were inserted, and the orders of eleven clients without a lead have opened a sale.
      { type: 'sale.created', count: 14 },
      { type: 'sale.stage_changed', count: 3 },
      { type: 'strain.out_of_stock', count: 1 },
    ]);
    expect(await findWrongCounters(sql, tokenId)).toEqual([]);
  });

  it('fail one by one, with the errors that they have alone', async () => {
    const holder = await addWallet();
    const { tokenId } = holder;
    const scarce = await insertStrain(sql, { stock: 3 });
    const plenty = await insertStrain(sql, { stock: 1000 });
    const items = [{ strainId: plenty.id, quantity: 1 }];
    const good = await Promise.all(Array.from({ length: 6 }, () => clientWithCart(tokenId, items)));
    const { id: withoutCart } = await insertClient(sql, tokenId);
    const { id: ofStranger } = await insertClient(sql, stranger.tokenId);
    const { id: unverified } = await insertClient(sql, tokenId, { isKycVerified: false });
    const sameCart = await clientWithCart(tokenId, items);
    const inOtherCase = await clientWithCart(tokenId, items);
    const expected: [string, Send][] = [
      ...good.map((clientId): [string, Send] => ['201', order(holder, { clientId })]),
      ['CART_EMPTY', order(holder, { clientId: withoutCart })],
      ['RESOURCE_NOT_FOUND', order(holder, { clientId: unknownId, items })],
      ['NOT_OWNED', order(holder, { clientId: ofStranger, items })],
      ['CLIENT_NOT_VERIFIED', order(holder.bound, { clientId: unverified, items })],
      [
        'STOCK_TOO_LOW',
        order(holder, { clientId: withoutCart, items: [{ strainId: scarce.id, quantity: 4 }] }),
      ],
      [
        'RESOURCE_NOT_FOUND',
        order(holder, { clientId: withoutCart, items: [{ strainId: unknownId, quantity: 1 }] }),
      ],
    ];
    const competing = [
      order(holder, { clientId: sameCart }),
      order(holder, { clientId: sameCart }),
      order(holder, { clientId: inOtherCase }),
      order(holder, { clientId: inOtherCase.toUpperCase() }),
    ];
    const { replies } = await sendTogether(holder, [...expected.map(([, send]) => send), ...competing]);
    expect(replies.slice(0, expected.length).map(outcomeOf)).toEqual(expected.map(([outcome]) => outcome));
    const ofCarts = replies.slice(expected.length).map(outcomeOf);
    expect(ofCarts.slice(0, 2).sort()).toEqual(['201', 'CART_EMPTY']);
    expect(ofCarts.slice(2).sort()).toEqual(['201', 'CART_EMPTY']);
    const [row] = await sql('SELECT count(*)::int FROM orders WHERE token_id = $1', [tokenId]);
    expect(row).toEqual({ count: 6 + 2 + 2 });
    expect(await findWrongCounters(sql, tokenId)).toEqual([]);
  });

  it('are executed once for each Idempotency-Key and each nonce', async () => {
    const holder = await addWallet();
    const { id: strainId } = await insertStrain(sql, { stock: 1000 });
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const body = { clientId, items: [{ strainId, quantity: 1 }] };
    const [key, otherKey] = [randomUUID(), randomUUID()];
    const captured = order(holder.bound, body);
    const earlier = await order(holder, body, { 'idempotency-key': otherKey })();
    const { replies } = await sendTogether(holder, [
      order(holder, body, { 'idempotency-key': key }),
      order(holder, body, { 'idempotency-key': key }),
      captured,
      captured,
      order(holder, body, { 'idempotency-key': otherKey }),
      order(holder, { ...body, note: 'another body' }, { 'idempotency-key': otherKey }),
      order(holder, body),
    ]);
    // The second request with a key comes after the first, or while it runs.
    expect([
      ['201', '201'],
      ['201', 'IDEMPOTENCY_KEY_IN_USE'],
    ]).toContainEqual(replies.slice(0, 2).map(outcomeOf).sort());
    expect(replies.slice(2, 4).map(outcomeOf).sort()).toEqual(['201', 'SIGNATURE_INVALID']);
    expect(replies[4]?.text).toBe(earlier.text);
    expect(replies.slice(5).map(outcomeOf)).toEqual(['IDEMPOTENCY_KEY_REUSED', '201']);
    const again = await order(holder, body, { 'idempotency-key': key })();
    expect(replies.slice(0, 2).map(({ text }) => text)).toContain(again.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const [row] = await sql('SELECT count(*)::int FROM orders WHERE client_id = $1', [clientId]);
    expect(row).toEqual({ count: 4 });
    expect((await captured()).status).toBe(401);
  });

  it('do not wait for one whose client is locked', async () => {
    const holder = await addWallet();
    const { tokenId } = holder;
    const { id: strainId } = await insertStrain(sql, { stock: 1000 });
    const clients = await Promise.all(
      Array.from({ length: 8 }, () => clientWithCart(tokenId, [{ strainId, quantity: 1 }])),
    );
    const [locked, ...others] = clients;
    if (!locked) throw new Error('There is a client to lock');
    const waiting: Promise<Reply>[] = [];
    const before = service.database.sharedRequests.repeated;
    const sendLocked: Send = async () => {
      waiting.push(order(holder, { clientId: locked })());
      return undefined as never;
    };
    const requests = others.map((clientId) => order(holder, { clientId }));
    const { replies } = await sendTogether(
      holder,
      [...requests.slice(0, 4), sendLocked, ...requests.slice(4)],
      [locked],
    );
    const answered = replies.filter((reply) => reply !== undefined);
    expect(answered.map(outcomeOf)).toEqual(others.map(() => '201'));
    expect(service.database.sharedRequests.repeated).toBeGreaterThan(before);
    expect((await Promise.all(waiting)).map(outcomeOf)).toEqual(['201']);
  });
});

it('a lead that another order has just taken is not taken again', async () => {
  const holder = await addWallet();
  const { tokenId } = holder;
  const { id: strainId } = await insertStrain(sql, { stock: 1000 });
  const { id: clientId } = await insertClient(sql, tokenId);
  await sql(
    `INSERT INTO sales (token_id, client_id, stage, description) VALUES ($1, $2, 'LEADS', 'the lead')`,
    [tokenId, clientId],
  );
  const send = order(holder, { clientId, items: [{ strainId, quantity: 1 }] });
  const gate = new Gate();
  // Takes the lead, and commits while the orders wait for it.
  const taking = service.database.transaction(systemScope, async (tx) => {
    await tx(statement('test.take-lead', `UPDATE sales SET stage = 'CLOSED' WHERE client_id = $1`), [
      clientId,
    ]);
    await gate.pass();
  });
  await gate.reached;
  const sending = [send(), send(), send()];
  await expect.poll(() => countWaiting('%place_orders%')).toBeGreaterThan(0);
  gate.open();
  await taking;
  expect((await Promise.all(sending)).map(outcomeOf)).toEqual(['201', '201', '201']);
  const stages = await sql(
    `SELECT stage, description, order_id IS NOT NULL AS "hasOrder" FROM sales WHERE client_id = $1 ORDER BY 2, 1`,
    [clientId],
  );
  expect(stages).toEqual([
    ...Array.from({ length: 3 }, () => ({ stage: 'ONGOING', description: '', hasOrder: true })),
    { stage: 'CLOSED', description: 'the lead', hasOrder: false },
  ]);
  expect(await findWrongCounters(sql, tokenId)).toEqual([]);
});
