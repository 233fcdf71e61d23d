import type { CreatedClient, CreatedWebhook } from '@keyfront/protocol';
import pg from 'pg';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { withDatabase } from './support/database-url.ts';
import { followEvents } from './support/event-data.ts';
import { dataOf, openCallers, startStorefrontService } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';
import { testMetricsToken } from './support/test-app.ts';
import { until } from './support/until.ts';
import { startReceiver } from './support/webhook-receiver.ts';

// Which transactions events wait for, seen by a reader of the list and by a webhook.
const receiver = await startReceiver();
const started = await startStorefrontService(
  (url) => new ChangeFeed({ url }),
  ({ loginUrl }) => ({
    isDemo: true,
    deliveries: { url: loginUrl, timing: { dispatchMs: 20, idleMs: 20, pollMs: 100 } },
  }),
);
const { addDigitalKey, sql } = await openCallers(started);
let holder = await addDigitalKey();
beforeEach(async () => {
  holder = await addDigitalKey();
  const body = { url: `${receiver.url}/${holder.tokenId}`, eventTypes: ['client.created'] };
  dataOf<CreatedWebhook>(await holder.ask('POST', '/webhooks', { body }));
});
afterAll(async () => {
  await started.service.close();
  await receiver.close();
});

/** Runs the work while another session has an open transaction in which it has done this. */
async function whileOpen(url: string, statements: string, work: (session: pg.Client) => Promise<void>) {
  const session = new pg.Client({ connectionString: url, options: '-c search_path=keyfront' });
  await session.connect();
  try {
    await session.query(`BEGIN; ${statements}`);
    await work(session);
  } finally {
    await session.end();
  }
}
const createClient = async (firstName: string) => {
  const body = { firstName, lastName: 'Example', email: `${firstName}-${holder.tokenId}@example.org` };
  return dataOf<CreatedClient>(await holder.ask('POST', '/dapp/clients', { body })).client;
};
const delivered = () => receiver.at(`/${holder.tokenId}`).map(({ body }) => JSON.parse(body).data.firstName);
const readAge = async () => {
  const response = await fetch(`${started.service.origin}/metrics`, {
    headers: { authorization: `Bearer ${testMetricsToken}` },
  });
  return Number(/^events_waiting_seconds (\S+)$/m.exec(await response.text())?.[1]);
};

it.each([
  ['in another database of the server', () => withDatabase(inject('clusterOwnerUrl'), 'postgres')],
  ['in the same database', () => started.service.ownerUrl],
])('reads and delivers events while a transaction %s has written something else', async (_where, url) => {
  await whileOpen(url(), 'CREATE TEMPORARY TABLE notes (); SELECT pg_current_xact_id()', async () => {
    await createClient('Ada');
    const events = await followEvents(holder, 'client.*').waitFor('client.created');
    expect(events.map(({ data }) => data.firstName)).toEqual(['Ada']);
    await until(delivered, ({ length }) => length > 0);
    expect(delivered()).toEqual(['Ada']);
    expect(await readAge()).toBe(0);
  });
});

it('reads and delivers events while an older transaction only reads', async () => {
  await whileOpen(
    started.service.ownerUrl,
    'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM events',
    async () => {
      await createClient('Ada');
      await followEvents(holder, 'client.*').waitFor('client.created');
      await until(delivered, ({ length }) => length > 0);
    },
  );
});

it('waits for a slow transaction that has written an event, says for how long, and skips nothing', async () => {
  await whileOpen(started.service.ownerUrl, 'SELECT pg_current_xact_id()', async (slow) => {
    // It has written long before, but no event.
    await createClient('First');
    const log = followEvents(holder, 'client.*');
    expect((await log.waitFor('client.created')).map(({ data }) => data.firstName)).toEqual(['First']);
    const run = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await slow.query<Row>(text, values)).rows;
    await insertClient(run, holder.tokenId, { firstName: 'Slow' });
    await createClient('Quick');
    expect(await log.readOn()).toEqual([]);
    await until(readAge, (seconds) => seconds > 0);
    await slow.query('COMMIT');
    const seen = await until(
      async () => (await followEvents(holder, 'client.*').readOn()).map(({ data }) => data.firstName),
      ({ length }) => length === 3,
    );
    expect(seen).toEqual(['First', 'Slow', 'Quick']);
    expect((await log.readOn()).map(({ data }) => data.firstName)).toEqual(['Slow', 'Quick']);
    await until(delivered, ({ length }) => length === 3);
    expect(delivered().toSorted()).toEqual(['First', 'Quick', 'Slow']);
    expect(await readAge()).toBe(0);
  });
});

it('keeps the order of the changes of a resource, also of a transaction that has written another event before', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { firstName: 'One' });
  await whileOpen(started.service.ownerUrl, 'SELECT pg_current_xact_id()', async (early) => {
    const run = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await early.query<Row>(text, values)).rows;
    await insertClient(run, holder.tokenId, { firstName: 'Other' });
    dataOf(await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Two' } }));
    await early.query(`UPDATE clients SET first_name = 'Three' WHERE id = $1`, [id]);
    await early.query('COMMIT');
    const events = await until(
      () => followEvents(holder, 'client.*').readOn(),
      ({ length }) => length === 4,
    );
    expect(events.filter(({ data }) => data.id === id).map(({ data }) => data.firstName)).toEqual([
      'One',
      'Two',
      'Three',
    ]);
  });
});
