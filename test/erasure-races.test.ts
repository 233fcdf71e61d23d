import { randomUUID } from 'node:crypto';
import type { Client, CreatedWebhook, OrderWithLines } from '@keyfront/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { countWaitingForLock } from './support/connections.ts';
import { dumpDatabase } from './support/dump-database.ts';
import { Gate, GatedByStatement } from './support/gated-database.ts';
import { dataOf, openCallers, startStorefrontService } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';
import { until } from './support/until.ts';
import { startReceiver } from './support/webhook-receiver.ts';

/** What is written about a client while it is being erased. */

const receiver = await startReceiver();
const databases: GatedByStatement[] = [];
const started = await startStorefrontService(
  (url) => new ChangeFeed({ url }),
  ({ loginUrl }) => {
    const database = new GatedByStatement({ url: loginUrl, poolSize: 5 });
    databases.push(database);
    return {
      database,
      isDemo: true,
      deliveries: { url: loginUrl, timing: { dispatchMs: 20, idleMs: 20, pollMs: 100 } },
    };
  },
);
const [database] = databases;
if (!database) throw new Error('The service has no database');
const { holder, admin, sql } = await openCallers(started);
const { ownerUrl } = started.service;
const { id: strainId } = await insertStrain(sql);
afterAll(async () => {
  await started.service.close();
  await database.close();
  await receiver.close();
});

const unique = () => `t${randomUUID().replaceAll('-', '')}`;
const eraseSoon = (id: string) => holder.ask('DELETE', `/dapp/clients/${id}?erase=true`);
const orderOf = async (clientId: string) =>
  dataOf<OrderWithLines>(
    await holder.ask('POST', '/dapp/orders', { body: { clientId, items: [{ strainId, quantity: 1 }] } }),
  ).id;

interface Writing {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** Each writes a text about a client, in a transaction that runs the statement. */
const writings: [
  statement: string,
  request: (clientId: string, text: string) => Writing | Promise<Writing>,
][] = [
  [
    'sales.insert',
    (clientId, description) => ({ method: 'POST', path: '/dapp/sales', body: { clientId, description } }),
  ],
  [
    'clients.update-with-record',
    (id, title) => ({ method: 'PATCH', path: `/dapp/clients/${id}`, body: { title, medicalRecord: {} } }),
  ],
  [
    'audit.insert',
    (id, reason) => ({ method: 'POST', path: `/dapp/clients/${id}/medical-record`, body: { reason } }),
  ],
  [
    'orders.place',
    (clientId, note) => ({
      method: 'POST',
      path: '/dapp/orders',
      body: { clientId, note, items: [{ strainId, quantity: 1 }] },
    }),
  ],
  [
    'payments.insert-checkout',
    async (id, text) => ({
      method: 'POST',
      path: '/payments/checkout',
      body: { orderId: await orderOf(id), returnUrl: `https://shop.example/${text}` },
    }),
  ],
  [
    'orders.update-state',
    async (id, rejectionNote) => ({
      method: 'PATCH',
      path: `/admin/orders/${await orderOf(id)}`,
      body: { adminApproval: 'REJECTED', rejectionNote },
    }),
  ],
  [
    'carts.lock-owner',
    (clientId) => ({
      method: 'POST',
      path: '/dapp/carts',
      body: { clientId, cartItems: [{ strainId, quantity: 1 }] },
    }),
  ],
];

/** An order reads its client without a lock, and is refused if the client has changed when it is written. */
const locksNothing = 'orders.place';

describe('what is being written when a client is erased', () => {
  it.each(writings)('is erased too, with its stored response: %s', async (statement, describeWriting) => {
    const firstName = unique();
    const { id } = await insertClient(sql, holder.tokenId, { firstName });
    const text = unique();
    const { method, path, body } = await describeWriting(id, text);
    const caller = path.startsWith('/admin') ? admin : holder;
    const send = caller.prepare(method, path, { body, headers: { 'idempotency-key': randomUUID() } });

    const gate = database.hold(statement);
    const writing = send();
    await gate.reached;
    let isErased = false;
    const erasing = eraseSoon(id).finally(() => {
      isErased = true;
    });
    // It waits for what is being written, unless that has locked nothing yet.
    const mayWait = statement !== locksNothing;
    await until(async () => isErased || (mayWait && (await countWaitingForLock(ownerUrl)) > 0), Boolean);
    expect(isErased).toBe(!mayWait);
    gate.open();
    const written = await writing;
    dataOf(await erasing);
    expect(written.status < 300 ? null : written.envelope.code).toBe(mayWait ? null : 'RESOURCE_NOT_FOUND');

    expect(await dumpDatabase(sql)).not.toContain(text);
    if (method !== 'POST' || statement === 'audit.insert') return;
    const again = await send();
    expect(again.text).not.toContain(firstName);
    expect(again.status).toBe(mayWait ? 410 : 404);
  });
});

describe('what the receiver of an event answers', () => {
  const clientWith = async (path: string, lastName: string) => {
    const { id: webhookId } = dataOf<CreatedWebhook>(
      await holder.ask('POST', '/webhooks', {
        body: { url: receiver.url + path, eventTypes: ['client.created'] },
      }),
    );
    const { id } = dataOf<Client>(
      await holder.ask('POST', '/dapp/clients', {
        body: { firstName: 'Ada', lastName, email: `${unique()}@example.org` },
      }),
    );
    const readDeliveries = () =>
      sql<{ attempts: number; response_body: string | null }>(
        'SELECT attempts, response_body FROM webhook_deliveries WHERE webhook_id = $1',
        [webhookId],
      );
    const isRecorded = () =>
      until(readDeliveries, ([delivery, ...others]) => delivery?.attempts === 1 && others.length === 0);
    return { id, isRecorded };
  };

  it('is not kept if it comes after the erasure', async () => {
    const lastName = unique();
    const held = new Gate();
    receiver.paths.set('/late', async (response) => {
      await held.pass();
      response.end(receiver.at('/late')[0]?.body);
    });
    const { id, isRecorded } = await clientWith('/late', lastName);
    await held.reached;
    expect(receiver.at('/late')[0]?.body).toContain(lastName);
    dataOf(await eraseSoon(id));
    held.open();
    expect(await isRecorded()).toEqual([{ attempts: 1, response_body: null }]);
    expect(await dumpDatabase(sql)).not.toContain(lastName);
  });

  it('is not kept if the event was dispatched while the erasure was running', async () => {
    const lastName = unique();
    receiver.paths.set('/meanwhile', (response) => response.end(receiver.at('/meanwhile')[0]?.body));
    const dispatcher = await started.owner.connect();
    await dispatcher.query('BEGIN');
    // Whoever dispatches has this lock.
    await dispatcher.query('SELECT FROM webhook_dispatch FOR UPDATE');
    const { id, isRecorded } = await clientWith('/meanwhile', lastName);
    const beforeCommit = database.hold('clients.erase');
    const erasing = eraseSoon(id);
    await beforeCommit.reached;
    // Others see the event as it was.
    await dispatcher.query('COMMIT');
    dispatcher.release();
    const [recorded] = await isRecorded();
    expect(recorded?.response_body).toContain(lastName);
    beforeCommit.open();
    dataOf(await erasing);
    expect(await isRecorded()).toEqual([{ attempts: 1, response_body: null }]);
    expect(await dumpDatabase(sql)).not.toContain(lastName);
  });
});
