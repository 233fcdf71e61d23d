import { randomBytes } from 'node:crypto';
import {
  type CreatedWebhook,
  maximumWebhooks,
  type RotatedWebhook,
  type Webhook,
  type WebhookList,
} from '@keyfront/protocol';
import { afterAll, expect, it } from 'vitest';
import { createDataCipher } from '../packages/server/src/lib/encryption/data-cipher.ts';
import { webhookSecretTable } from '../packages/server/src/resources/webhooks/webhook-queries.ts';
import { dataOf, openStorefront, type TestHolder } from './support/storefront.ts';
import { testDataKey } from './support/test-app.ts';

const { holder, stranger, sibling, addDigitalKey, sql, service } = await openStorefront();

// A public address, so that no name server is asked.
const url = 'https://192.0.32.8/hook';
const create = async (body: object = {}, caller: TestHolder = holder) =>
  dataOf<CreatedWebhook>(
    await caller.ask('POST', '/webhooks', { body: { url, eventTypes: ['order.*'], ...body } }),
  );
const list = async (caller: TestHolder = holder) =>
  dataOf<WebhookList>(await caller.ask('GET', '/webhooks')).webhooks;
afterAll(() => sql('DELETE FROM webhooks'));

it('belongs to the digital key, and outlives the API key that has created it', async () => {
  const owner = await addDigitalKey();
  const { secret: _secret, ...webhook } = await create({}, owner);
  await sql('UPDATE api_keys SET revoked_at = now() WHERE token_id = $1', [owner.tokenId]);
  const [row] = await sql<{ disabled_reason: string | null }>(
    'SELECT disabled_reason FROM webhooks WHERE id = $1',
    [webhook.id],
  );
  expect(row?.disabled_reason).toBeNull();
});

it('creates, shows, changes and deletes a webhook', async () => {
  const { secret, ...webhook } = await create({ description: 'Warehouse' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.any(String),
    url,
    eventTypes: ['order.*'],
    description: 'Warehouse',
    isEnabled: true,
    disabledReason: null,
    failingSince: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const path = `/webhooks/${webhook.id}`;
  expect(dataOf(await holder.ask('GET', path))).toEqual(webhook);
  expect(await list()).toEqual([webhook]);

  const change = { eventTypes: ['*', 'payment.paid', '*'], description: null, isEnabled: false };
  const changed = dataOf<Webhook>(await holder.ask('PATCH', path, { body: change }));
  expect(changed).toEqual({
    ...webhook,
    eventTypes: ['*', 'payment.paid'],
    description: null,
    isEnabled: false,
    disabledReason: 'HOLDER',
    updatedAt: expect.any(String),
  });
  expect(changed.updatedAt > webhook.updatedAt).toBe(true);
  const enabled = dataOf<Webhook>(await holder.ask('PATCH', path, { body: { isEnabled: true } }));
  expect(enabled).toMatchObject({ isEnabled: true, disabledReason: null, eventTypes: ['*', 'payment.paid'] });

  dataOf(await holder.ask('DELETE', path));
  expect((await holder.ask('GET', path)).status).toBe(404);
  expect((await holder.ask('DELETE', path)).status).toBe(404);
  const [left] = await sql('SELECT count(*)::int FROM webhook_secrets WHERE webhook_id = $1', [webhook.id]);
  expect(left).toEqual({ count: 0 });
});

it('stores and shows the URL as it is called', async () => {
  const { id, url: created } = await create({ url: 'HTTPS://192.0.32.8:443/a/../hooks/é?q=ü' });
  expect(created).toBe('https://192.0.32.8/hooks/%C3%A9?q=%C3%BC');
  const change = { url: 'https://3221233672:8443' };
  const changed = dataOf<Webhook>(await holder.ask('PATCH', `/webhooks/${id}`, { body: change }));
  expect(changed.url).toBe('https://192.0.32.8:8443/');
  dataOf(await holder.ask('DELETE', `/webhooks/${id}`));
});

it('shows a webhook to nobody else: not to another holder, and not for another digital key of the holder', async () => {
  const { id } = await create();
  for (const other of [stranger, sibling]) {
    expect(await list(other)).toEqual([]);
    for (const [method, path, body] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { isEnabled: false }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/rotate-secret`],
    ] as const) {
      const reply = await other.ask(method, path, body ? { body } : {});
      expect([method, reply.status, reply.envelope.code]).toEqual([method, 403, 'NOT_OWNED']);
    }
  }
  expect(dataOf<Webhook>(await holder.ask('GET', `/webhooks/${id}`)).isEnabled).toBe(true);
});

it('refuses one webhook too many, also when they come at once', async () => {
  const keyed = await addDigitalKey();
  const replies = await Promise.all(
    Array.from({ length: maximumWebhooks + 5 }, () =>
      keyed.ask('POST', '/webhooks', { body: { url, eventTypes: ['*'] } }),
    ),
  );
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused.map(({ envelope }) => envelope.code)).toEqual(Array(5).fill('WEBHOOK_LIMIT_REACHED'));
  expect(await list(keyed)).toHaveLength(maximumWebhooks);
});

it('stores secrets encrypted, shows each once, and keeps the previous one for 24 hours', async () => {
  const { secret, ...webhook } = await create();
  const shown = await holder.ask('GET', `/webhooks/${webhook.id}`);
  expect(shown.text).not.toContain('whsec_');
  const rotated = dataOf<RotatedWebhook>(await holder.ask('POST', `/webhooks/${webhook.id}/rotate-secret`));
  const { secret: second, previousSecretExpiresAt, ...same } = rotated;
  expect(same).toEqual(webhook);
  expect(second).not.toBe(secret);
  expect(Date.parse(previousSecretExpiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  dataOf(await holder.ask('POST', `/webhooks/${webhook.id}/rotate-secret`));
  const rows = await sql<{ ciphertext: Buffer; expires_at: Date | null }>(
    'SELECT ciphertext, expires_at FROM webhook_secrets WHERE webhook_id = $1 ORDER BY id',
    [webhook.id],
  );
  // The first one is gone, the second one expires, the third one is current.
  expect(rows.map(({ expires_at }) => expires_at !== null)).toEqual([true, false]);
  for (const text of [secret, second]) {
    const bytes = Buffer.from(text.slice(6), 'base64');
    expect(rows.some(({ ciphertext }) => ciphertext.includes(bytes))).toBe(false);
    expect(service.logLines.join('')).not.toContain(text);
  }
});

it('repeats the response of a repeated request, with the same secret', async () => {
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
  const body = { url, eventTypes: ['*'] };
  const [first, second] = [
    await holder.ask('POST', '/webhooks', { body, headers }),
    await holder.ask('POST', '/webhooks', { body, headers }),
  ];
  expect(second.text).toBe(first.text);
});

it('encrypts secrets with a new key of the operator, and does not start without the key of one', async () => {
  await create();
  const { database } = service;
  const first = createDataCipher({ key: testDataKey, previousKey: null });
  const next = createDataCipher({ key: randomBytes(32), previousKey: testDataKey });
  await expect(webhookSecretTable.verifyKeys(database, null)).rejects.toThrow('DATA_ENCRYPTION_KEY');
  for (const known of [first, next]) await webhookSecretTable.verifyKeys(database, known);
  const { signal } = new AbortController();
  expect(await webhookSecretTable.rotate(database, next, signal)).toMatchObject({
    failures: [],
    isComplete: true,
  });
  await expect(webhookSecretTable.verifyKeys(database, first)).rejects.toThrow('another key');
  // Other tests of this file go on with the key of the service.
  await sql('DELETE FROM webhooks');
});

it.each([
  [{ url: 'ftp://192.0.32.8/' }, 'url must be an https URL'],
  [{ url: 'http://192.0.32.8/' }, 'url must be an https URL'],
  [{ url: 'no url' }, 'url must be an https URL'],
  [{ url: 'https://192.0.32.8/\r\nhook' }, 'url must be an https URL'],
  [{ url: ' https://192.0.32.8/' }, 'url must be an https URL'],
  [{ url: 'https://ada:secret@192.0.32.8/' }, 'url must not contain a user name or a password'],
  [
    { eventTypes: ['order.lost'] },
    'eventTypes.0 must be a type of event such as order.created or order.*, not order.lost',
  ],
  [{ eventTypes: [] }, 'eventTypes should not be empty'],
  [
    { eventTypes: ['order.*', 'ORDER'] },
    'eventTypes.1 must be a type of event such as order.created or order.*',
  ],
])('refuses %j', async (change, issue) => {
  const reply = await holder.ask('POST', '/webhooks', { body: { url, eventTypes: ['*'], ...change } });
  expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
});
