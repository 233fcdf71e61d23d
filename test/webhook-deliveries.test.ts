import {
  type CreatedClient,
  type CreatedWebhook,
  type Event,
  type EventPage,
  maximumPendingDeliveries,
  type RotatedWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryList,
} from '@keyfront/protocol';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { parseEventId } from '../packages/server/src/resources/events/event-id.ts';
import { deleteOldDeliveries } from '../packages/server/src/resources/webhooks/delivery/delete-old-deliveries.ts';
import { deleteUnownedDeliveries } from '../packages/server/src/resources/webhooks/delivery/delete-unowned-deliveries.ts';
import { retryDelaysMs } from '../packages/server/src/resources/webhooks/delivery/retry-schedule.ts';
import { followEvents } from './support/event-data.ts';
import { dataOf, openCallers, startStorefrontService } from './support/storefront.ts';
import { testMetricsToken } from './support/test-app.ts';
import { until } from './support/until.ts';
import { behaviours, startReceiver } from './support/webhook-receiver.ts';

const receiver = await startReceiver();
const started = await startStorefrontService(
  (url) => new ChangeFeed({ url }),
  ({ loginUrl }) => ({
    isDemo: true,
    deliveries: {
      url: loginUrl,
      timing: { dispatchMs: 20, idleMs: 20, pollMs: 100, deadlineMs: 500 },
      limits: { total: 12, unproven: 10, perWebhook: 2 },
    },
  }),
);
const { addDigitalKey, addWallet, sql } = await openCallers(started);
let holder = await addDigitalKey();
beforeEach(async () => {
  // Time goes on, from a moment that a test may move.
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  holder = await addDigitalKey();
  receiver.received.length = 0;
  receiver.paths.clear();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await started.service.close();
  await receiver.close();
});

const hour = 3_600_000;
const moveClock = (ms: number) => vi.setSystemTime(Date.now() + ms);
const create = async (path: string, body: object = {}) =>
  dataOf<CreatedWebhook>(
    await holder.ask('POST', '/webhooks', {
      body: { url: receiver.url + path, eventTypes: ['client.created'], ...body },
    }),
  );
let people = 0;
const createClient = async () => {
  const body = { firstName: 'Ada', lastName: 'Example', email: `ada-${++people}@example.org` };
  return dataOf<CreatedClient>(await holder.ask('POST', '/dapp/clients', { body })).client;
};
const deliveriesOf = async ({ id }: { id: string }, query = '') =>
  dataOf<WebhookDeliveryList>(await holder.ask('GET', `/webhooks/${id}/deliveries${query}`)).deliveries;
const get = async ({ id }: { id: string }) => dataOf<Webhook>(await holder.ask('GET', `/webhooks/${id}`));
const arrivals = (path: string, count = 1) =>
  until(
    () => receiver.at(path),
    ({ length }) => length >= count,
  );
const attempted = (webhook: { id: string }, attempts = 1) =>
  until(
    () => deliveriesOf(webhook),
    ([first]) => first !== undefined && first.attempts >= attempts,
  );

it('delivers events signed, so that a second implementation verifies them, also with the previous secret', async () => {
  const webhook = await create('/signed');
  const client = await createClient();
  const [first] = await arrivals('/signed');
  const { events } = dataOf<EventPage>(await holder.ask('GET', '/events?type=client.created'));
  const event = events.find(({ data }) => data.id === client.id) as Event;
  const { createdAt: timestamp, ...rest } = event;
  expect(JSON.parse(first?.body ?? '')).toEqual({ ...rest, timestamp });
  expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
  expect(new StandardWebhook(webhook.secret).verify(first?.body ?? '', first?.headers ?? {})).toBeTruthy();
  expect(await attempted(webhook)).toEqual([
    {
      id: expect.any(String),
      webhookId: webhook.id,
      eventId: event.id,
      eventType: 'client.created',
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
      attemptedAt: expect.any(String),
      responseStatus: 200,
      durationMs: expect.any(Number),
      responseBody: 'thank you',
      failure: null,
      createdAt: expect.any(String),
    },
  ]);

  const rotated = dataOf<RotatedWebhook>(await holder.ask('POST', `/webhooks/${webhook.id}/rotate-secret`));
  await createClient();
  const [, second] = await arrivals('/signed', 2);
  for (const secret of [webhook.secret, rotated.secret])
    expect(new StandardWebhook(secret).verify(second?.body ?? '', second?.headers ?? {})).toBeTruthy();
  moveClock(25 * hour);
  await createClient();
  const [, , third] = await arrivals('/signed', 3);
  const verify = (secret: string) =>
    new StandardWebhook(secret).verify(third?.body ?? '', third?.headers ?? {});
  expect(verify(rotated.secret)).toBeTruthy();
  expect(() => verify(webhook.secret)).toThrow('No matching signature');
});

it('sends only the wanted events, only to webhooks of their digital key, and none from before the webhook', async () => {
  await createClient();
  // An event that is not readable yet comes after the webhook.
  await followEvents(holder).waitFor('client.created');
  const [ok, all, off] = [
    await create('/wanted'),
    await create('/all', { eventTypes: ['*'] }),
    await create('/off'),
  ];
  dataOf(await holder.ask('PATCH', `/webhooks/${off.id}`, { body: { isEnabled: false } }));
  const other = holder;
  holder = await addDigitalKey();
  await create('/other');
  await createClient();
  await arrivals('/other');
  holder = other;
  const client = await createClient();
  dataOf(await holder.ask('PATCH', `/dapp/clients/${client.id}`, { body: { firstName: 'Adé' } }));
  const types = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).type);
  await Promise.all([arrivals('/all', 3), arrivals('/wanted')]);
  expect(types('/all').sort()).toEqual(['client.created', 'client.updated', 'sale.created']);
  expect(types('/wanted')).toEqual(['client.created']);
  expect(types('/off')).toEqual([]);
  expect([await deliveriesOf(ok), await deliveriesOf(off)].map(({ length }) => length)).toEqual([1, 0]);
  expect((await deliveriesOf(all)).length).toBe(3);
});

it('delivers to a good endpoint at once while others fail, and to each of those as soon as it is good again', {
  tags: ['long'],
}, async () => {
  const bad = ['error', 'hang', 'close', 'redirect', 'slow', 'endlessBody', 'garbage'] as const;
  for (const name of bad) receiver.paths.set(`/${name}`, behaviours[name]);
  const webhooks = await Promise.all(bad.map((name) => create(`/${name}`)));
  await create('/good');
  for (let count = 0; count < 2; count++) await createClient();
  await arrivals('/good', 2);
  for (const webhook of webhooks) {
    await until(
      () => deliveriesOf(webhook),
      (deliveries) => deliveries.length === 2 && deliveries.every(({ attempts }) => attempts === 1),
    );
  }
  const [failed] = await deliveriesOf(webhooks[0] as Webhook);
  expect(failed).toMatchObject({
    status: 'PENDING',
    responseStatus: 500,
    failure: 'The endpoint responded with 500',
  });
  expect(failed?.responseBody).toBe('x'.repeat(1024));
  expect(
    Date.parse(failed?.nextAttemptAt ?? '') - Date.parse(failed?.attemptedAt ?? ''),
  ).toBeGreaterThanOrEqual(5_000);
  expect((await get(webhooks[0] as Webhook)).failingSince).not.toBeNull();

  // Down for an hour: the attempts after 5 seconds, 5 minutes and 30 minutes fail, and the one after 2 hours succeeds.
  for (const delayMs of retryDelaysMs.slice(0, 3)) {
    const counts = await Promise.all(
      webhooks.map(async (webhook) => (await deliveriesOf(webhook))[0]?.attempts ?? 0),
    );
    moveClock(delayMs * 1.1);
    await Promise.all(
      webhooks.map((webhook, at) =>
        until(
          () => deliveriesOf(webhook),
          (deliveries) => deliveries.every(({ attempts }) => attempts > (counts[at] ?? 0)),
        ),
      ),
    );
  }
  receiver.paths.clear();
  receiver.received.length = 0;
  moveClock(2.2 * hour);
  for (const [at, name] of bad.entries()) {
    const ids = (await arrivals(`/${name}`, 2)).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    const webhook = webhooks[at] as Webhook;
    await until(
      () => deliveriesOf(webhook, '?status=DELIVERED'),
      ({ length }) => length === 2,
    );
    expect((await get(webhook)).failingSince).toBeNull();
  }
});

it('lets no holder with many slow endpoints delay the deliveries of another one', {
  tags: ['long'],
}, async () => {
  // They accept every event, but take longer than a job may.
  receiver.paths.set('/slow', (response) => setTimeout(() => behaviours.ok(response), 200));
  const slow = [holder, await addDigitalKey()];
  for (const owner of slow) {
    holder = owner;
    for (let count = 0; count < 5; count++) await create('/slow');
    for (let count = 0; count < 20; count++) await createClient();
  }
  await arrivals('/slow', 2);
  holder = await addWallet();
  await create('/other');
  const client = await createClient();
  const [arrived] = await arrivals('/other');
  expect(JSON.parse(arrived?.body ?? '').data.id).toBe(client.id);
  // The slow ones are far from done, and get everything as well.
  expect(receiver.at('/slow').length).toBeLessThan(200);
  receiver.paths.set('/slow', behaviours.ok);
  await arrivals('/slow', 200);
});

it('disables a webhook that is gone at once, and writes an event', async () => {
  receiver.paths.set('/gone', behaviours.gone);
  const webhook = await create('/gone');
  const log = await create('/log', { eventTypes: ['webhook.disabled'] });
  await createClient();
  const [arrived] = await arrivals('/log');
  const { secret: _secret, ...shown } = webhook;
  expect(JSON.parse(arrived?.body ?? '')).toMatchObject({
    type: 'webhook.disabled',
    data: {
      ...shown,
      isEnabled: false,
      disabledReason: 'GONE',
      failingSince: expect.anything(),
      updatedAt: expect.any(String),
    },
    changes: { disabledReason: { from: null, to: 'GONE' } },
  });
  expect(await get(webhook)).toMatchObject({ isEnabled: false, disabledReason: 'GONE' });
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'FAILED', attempts: 1, responseStatus: 410 }]);
  for (const path of ['test', 'replay'] as const) {
    const body = path === 'replay' ? { body: { after: arrived?.headers['webhook-id'] } } : {};
    const reply = await holder.ask('POST', `/webhooks/${webhook.id}/${path}`, body);
    expect(reply.envelope.code).toBe('WEBHOOK_NOT_ENABLED');
  }
  expect(await deliveriesOf(log)).toHaveLength(1);
});

it('disables a webhook after five days of nothing but failures', async () => {
  receiver.paths.set('/failing', behaviours.error);
  const webhook = await create('/failing');
  await createClient();
  for (const [index, delayMs] of retryDelaysMs.entries()) {
    await attempted(webhook, index + 1);
    // Two days more before the last attempt: the schedule alone takes three days.
    moveClock(delayMs * 1.1 + (index === retryDelaysMs.length - 1 ? 48 * hour : 0));
  }
  const disabled = await until(
    () => get(webhook),
    ({ isEnabled }) => !isEnabled,
  );
  expect(disabled.disabledReason).toBe('FAILING');
  expect(await deliveriesOf(webhook)).toMatchObject([
    { status: 'FAILED', attempts: 10, nextAttemptAt: null },
  ]);
  expect(receiver.at('/failing')).toHaveLength(10);
  const enabled = dataOf<Webhook>(
    await holder.ask('PATCH', `/webhooks/${webhook.id}`, { body: { isEnabled: true } }),
  );
  expect(enabled).toMatchObject({ isEnabled: true, disabledReason: null, failingSince: null });
});

it('sends a test, a delivery again, and all events after one again', async () => {
  const webhook = await create('/again');
  const path = `/webhooks/${webhook.id}`;
  const test = dataOf<WebhookDelivery>(await holder.ask('POST', `${path}/test`));
  expect(test).toMatchObject({ eventId: null, eventType: 'webhook.test', status: 'PENDING' });
  const [sent] = await arrivals('/again');
  expect(new StandardWebhook(webhook.secret).verify(sent?.body ?? '', sent?.headers ?? {})).toMatchObject({
    type: 'webhook.test',
    data: { webhookId: webhook.id },
  });

  for (let count = 0; count < 3; count++) await createClient();
  await arrivals('/again', 4);
  const delivered = await until(
    () => deliveriesOf(webhook, '?status=DELIVERED'),
    ({ length }) => length === 4,
  );
  const [third, second, first] = delivered;
  dataOf(await holder.ask('POST', `${path}/deliveries/${third?.id}/retry`));
  const repeated = await arrivals('/again', 5);
  expect(repeated.at(-1)?.headers['webhook-id']).toBe(third?.eventId);
  expect((await attempted(webhook, 2))[0]).toMatchObject({ id: third?.id, attempts: 2 });

  const ahead = await holder.ask('POST', `${path}/replay`, { body: { after: `evt_${'v'.repeat(29)}` } });
  expect([ahead.status, ahead.envelope.code]).toEqual([404, 'EVENT_POSITION_UNKNOWN']);
  dataOf(await holder.ask('POST', `${path}/replay`, { body: { after: first?.eventId } }));
  const replayed = (await arrivals('/again', 7)).slice(5);
  expect(replayed.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [second?.eventId, third?.eventId].sort(),
  );

  // Since the second event, which has the same time in its id.
  const since = new Date(parseEventId(second?.eventId ?? '').createdAtMs).toISOString();
  const replay = (body: object) => holder.ask('POST', `${path}/replay`, { body });
  for (const body of [{}, { since: '' }, { since, after: first?.eventId }, { since: 'yesterday' }])
    expect([body, (await replay(body)).envelope.code]).toEqual([body, 'VALIDATION_FAILED']);
  // The replay before may not be finished.
  await until(
    () => replay({ since }),
    ({ envelope }) => envelope.code !== 'WEBHOOK_BUSY',
  ).then(dataOf);
  const again = (await arrivals('/again', 9)).slice(7);
  expect(again.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [second?.eventId, third?.eventId].sort(),
  );
  dataOf(
    await until(
      () => replay({ since: new Date(Date.now() + hour).toISOString() }),
      ({ envelope }) => envelope.code !== 'WEBHOOK_BUSY',
    ),
  );

  // Until the last one is recorded: it would differ between two reads.
  const all = await until(
    () => deliveriesOf(webhook, '?status=DELIVERED'),
    ({ length }) => length === 8,
  );
  const newest = await deliveriesOf(webhook, '?take=4');
  expect([...newest, ...(await deliveriesOf(webhook, `?take=4&before=${newest[3]?.id}`))]).toEqual(all);
});

it('replays no faster than the endpoint accepts events, and accepts no other replay and no test meanwhile', {
  tags: ['long'],
}, async () => {
  const webhook = await create('/replayed');
  const path = `/webhooks/${webhook.id}`;
  await createClient();
  const [first] = await attempted(webhook);
  receiver.paths.set('/replayed', behaviours.error);
  // As an endpoint that has failed for a while has them.
  await sql(
    `INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type, is_queued)
     SELECT id, token_id, holder_id, 'order.created', true FROM webhooks, generate_series(1, $2) WHERE id = $1`,
    [webhook.id, maximumPendingDeliveries - 1],
  );
  await createClient();
  await until(
    () => deliveriesOf(webhook, '?take=1'),
    ([newest]) => newest?.eventId != null && newest.attempts === 1,
  );
  const replay = () => holder.ask('POST', `${path}/replay`, { body: { after: first?.eventId } });
  const test = () => holder.ask('POST', `${path}/test`);
  const refuse = async (...calls: (typeof test)[]) => {
    for (const call of calls) {
      const { status, envelope } = await call();
      expect([status, envelope.code]).toEqual([409, 'WEBHOOK_BUSY']);
    }
  };
  await refuse(replay, test);
  // A replay that was accepted before waits as well.
  await sql(
    `UPDATE webhooks SET replay_transaction_number = 0, replay_sequence_number = 0, replay_before = find_event_horizon()
     WHERE id = $1`,
    [webhook.id],
  );
  await create('/meanwhile');
  await createClient();
  await arrivals('/meanwhile');
  await refuse(replay);
  const [replayed] = await sql<{ count: number }>(
    `SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1 AND event_transaction_number IS NOT NULL`,
    [webhook.id],
  );
  expect(replayed).toEqual({ count: 3 });
  await sql(`DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND event_transaction_number IS NULL`, [
    webhook.id,
  ]);
  receiver.paths.clear();
  await until(
    () => deliveriesOf(webhook, '?status=DELIVERED'),
    ({ length }) => length >= 4,
  );
  dataOf(await test());
  dataOf(await replay());
});

it('goes on delivering while callers use all connections to the database', { tags: ['long'] }, async () => {
  const { database } = started.service;
  const webhook = await create('/busy');
  await createClient();
  const [delivery] = await attempted(webhook);
  const { holderId, tokenId, walletAddress } = holder;
  const scope = { role: 'holder', holderId, tokenId, walletAddress } as const;
  let endCalls = () => {};
  const ended = new Promise<void>((resolve) => {
    endCalls = resolve;
  });
  const calls = Array.from({ length: database.poolSize }, () => database.transaction(scope, () => ended));
  try {
    await until(
      async () => database.hasWaitingRequests,
      (isBusy) => isBusy,
    );
    // More than two pauses of a job: it pauses after each sixteen.
    await sql(
      `INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type, event_transaction_number,
         event_sequence_number, event_created_at)
       SELECT webhook_id, token_id, holder_id, event_type, event_transaction_number, event_sequence_number, event_created_at
       FROM webhook_deliveries, generate_series(1, 40) WHERE id = $1`,
      [delivery?.id],
    );
    await arrivals('/busy', 41);
    expect(database.hasWaitingRequests).toBe(true);
  } finally {
    endCalls();
    await Promise.all(calls);
  }
});

it('gives the jobs of a process that was killed to another one', { tags: ['long'] }, async () => {
  receiver.paths.set('/killed', behaviours.error);
  const webhook = await create('/killed');
  await createClient();
  const [delivery] = await attempted(webhook);
  // As a process leaves a job that it was working on.
  await sql(
    `UPDATE keyfront_queue._private_jobs SET locked_by = 'pool-killed', locked_at = now() - interval '1 minute'
     WHERE key = $1`,
    [delivery?.id],
  );
  receiver.paths.clear();
  receiver.received.length = 0;
  moveClock(6_000);
  await arrivals('/killed');
  expect((await attempted(webhook, 2))[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 });
});

it('makes an attempt once if its job runs twice', async () => {
  const webhook = await create('/twice');
  await createClient();
  const [delivery] = await attempted(webhook);
  await sql(
    `SELECT keyfront_queue.add_job('deliver', json_build_object('webhookId', $2::text, 'holderId', (SELECT holder_id FROM webhooks WHERE id = ($2::text)::uuid),
       'attempts', json_build_array(json_build_object('deliveryId', $1::text, 'attempt', 1))))`,
    [delivery?.id, webhook.id],
  );
  await until(
    () => sql<{ count: number }>('SELECT count(*)::int FROM keyfront_queue._private_jobs'),
    ([row]) => row?.count === 0,
  );
  expect(receiver.at('/twice')).toHaveLength(1);
});

it('measures the backlog and the results, and raises an alarm when nothing is attempted', async () => {
  const webhook = await create('/measured');
  await createClient();
  // Accepted, and not only attempted: a webhook that fails raises no alarm.
  await until(
    () => deliveriesOf(webhook, '?status=DELIVERED'),
    ({ length }) => length === 1,
  );
  const { origin } = started.service;
  const readMetrics = async () =>
    (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${testMetricsToken}` } })).text();
  expect(await readMetrics()).toMatch(/webhook_attempts_total\{result="delivered"\} [1-9]/);
  expect((await fetch(`${origin}/health/webhooks`)).status).toBe(200);
  // As if no process took jobs for ten minutes.
  await sql(
    `INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type, is_queued, created_at)
     SELECT id, token_id, holder_id, 'order.created', true, $2 FROM webhooks WHERE id = $1`,
    [webhook.id, new Date(Date.now() - 600_000)],
  );
  const metrics = await readMetrics();
  const readValue = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  expect(readValue('webhook_deliveries_pending')).toBeGreaterThanOrEqual(1);
  expect(readValue('webhook_oldest_pending_seconds')).toBeGreaterThanOrEqual(600);
  // The route asks the database at most once a second.
  const alarm = await until(
    () => fetch(`${origin}/health/webhooks`),
    ({ status }) => status !== 200,
  );
  expect(alarm.status).toBe(503);
  expect(await alarm.text()).toMatch(
    /A delivery to a webhook has waited for its first attempt for 6\d\d seconds/,
  );
});

it('deletes deliveries when events are no longer kept', async () => {
  const webhook = await create('/old');
  await createClient();
  await attempted(webhook);
  const job = deleteOldDeliveries(30 * 24 * hour);
  const { signal } = new AbortController();
  await job.work(started.service.database, signal);
  expect(await deliveriesOf(webhook)).toHaveLength(1);
  // The clock of one process may be wrong.
  moveClock(31 * 24 * hour);
  await job.work(started.service.database, signal);
  expect(await deliveriesOf(webhook)).toHaveLength(1);
  await sql(`UPDATE keyfront.webhook_deliveries SET created_at = created_at - interval '31 days'`);
  await job.work(started.service.database, signal);
  expect(await deliveriesOf(webhook)).toEqual([]);
});

it('deletes a webhook with its deliveries and those that are still to be sent', async () => {
  receiver.paths.set('/deleted', behaviours.error);
  const [deleted, kept] = [await create('/deleted'), await create('/kept')];
  await createClient();
  const [failed] = await attempted(deleted);
  await attempted(kept);
  // More than one batch.
  await sql(
    `INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type, status)
     SELECT id, token_id, holder_id, 'order.created', 'FAILED' FROM webhooks, generate_series(1, 2500) WHERE id = $1`,
    [deleted.id],
  );
  const countJobs = async () =>
    (await sql('SELECT FROM keyfront_queue._private_jobs WHERE key = $1', [failed?.id])).length;
  expect(await countJobs()).toBe(1);
  dataOf(await holder.ask('DELETE', `/webhooks/${deleted.id}`));
  const list = await holder.ask('GET', `/webhooks/${deleted.id}/deliveries`);
  expect([list.status, list.envelope.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  await deleteUnownedDeliveries.work(started.service.database, new AbortController().signal);
  const left = await sql<{ webhook_id: string }>(
    'SELECT DISTINCT webhook_id FROM webhook_deliveries WHERE webhook_id = ANY ($1)',
    [[deleted.id, kept.id]],
  );
  expect(left).toEqual([{ webhook_id: kept.id }]);
  expect(await countJobs()).toBe(0);
  expect(await deliveriesOf(kept)).toHaveLength(1);
});
