import { expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const webhook = {
  id: '019a8f3e-7c00-7000-8000-000000000801',
  url: 'https://shop.example/hook',
  eventTypes: ['order.*', 'payment.paid'],
  description: null,
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const delivery = {
  id: '019a8f3e-7c00-7000-8000-000000000811',
  webhookId: webhook.id,
  eventId: 'evt_000000000bn0000000301ja3dj7e0',
  eventType: 'order.created',
  status: 'FAILED',
  attempts: 10,
  nextAttemptAt: null,
  attemptedAt: webhook.createdAt,
  responseStatus: 500,
  durationMs: 12,
  responseBody: 'no',
  failure: 'The endpoint responded with 500',
  createdAt: webhook.createdAt,
};
const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

it('lists webhooks and deliveries', async () => {
  const harness = createHarness({
    respond: ({ target }) =>
      success(
        target.includes('/deliveries') ? { deliveries: [delivery], hasMore: false } : { webhooks: [webhook] },
      ),
  });
  expect(rowsOf((await harness.run('webhooks', 'list')).stdout)[1]).toEqual([
    webhook.id,
    'ok',
    'order.*,payment.paid',
    webhook.url,
  ]);
  const { stdout } = await harness.run('webhooks', 'deliveries', webhook.id, '--status', 'FAILED');
  expect(rowsOf(stdout)[1]).toEqual([
    delivery.createdAt,
    'order.created',
    'FAILED',
    '10',
    '500 12 ms',
    'The endpoint responded with 500',
    delivery.id,
  ]);
  expect(harness.requests[1]?.target).toContain('status=FAILED');
});

it('creates a webhook, and prints only its secret on stdout', async () => {
  const harness = createHarness({ respond: () => success({ ...webhook, secret: 'whsec_abc' }, 201) });
  const options = ['--url', webhook.url, '--events', 'order.*, payment.paid', '--description', 'x'];
  const { stdout, stderr } = await harness.run('webhooks', 'create', ...options);
  expect(stdout).toBe('whsec_abc\n');
  expect(stderr).toContain(`Webhook ${webhook.id}. Its secret is shown only now:\n`);
  // The receiver needs the secret first, so the command itself sends no test.
  expect(stderr).toContain(`keyfront webhooks test ${webhook.id}`);
  expect(harness.requests).toHaveLength(1);
  expect(JSON.parse(harness.requests[0]?.body ?? '')).toEqual({
    url: webhook.url,
    eventTypes: webhook.eventTypes,
    description: 'x',
  });
});

it.each([
  [['show', webhook.id], 'GET', `/webhooks/${webhook.id}`, ''],
  [['update', webhook.id, '--disable'], 'PATCH', `/webhooks/${webhook.id}`, '{"isEnabled":false}'],
  [['delete', webhook.id, '--yes'], 'DELETE', `/webhooks/${webhook.id}`, ''],
  [['retry', webhook.id, delivery.id], 'POST', `/webhooks/${webhook.id}/deliveries/${delivery.id}/retry`, ''],
  [['replay', webhook.id, '--after', 'evt_1'], 'POST', `/webhooks/${webhook.id}/replay`, '{"after":"evt_1"}'],
  [['rotate-secret', webhook.id], 'POST', `/webhooks/${webhook.id}/rotate-secret`, ''],
] as const)('sends %j', async (parameters, method, target, body) => {
  const harness = createHarness({ respond: () => success({ ...webhook, secret: 'whsec_abc' }) });
  expect((await harness.run('webhooks', ...parameters)).code).toBe(0);
  expect(harness.requests).toMatchObject([{ method, target, body }]);
});

it('replays events since a time or how long ago', async () => {
  const now = new Date('2026-11-15T10:00:00.000Z');
  for (const [text, since] of [
    ['2h', '2026-11-15T08:00:00.000Z'],
    ['2026-11-15T09:30:00+02:00', '2026-11-15T07:30:00.000Z'],
  ] as const) {
    const harness = createHarness({ now, respond: () => success(webhook) });
    expect((await harness.run('webhooks', 'replay', webhook.id, '--since', text)).code).toBe(0);
    expect(JSON.parse(harness.requests[0]?.body ?? '')).toEqual({ since });
  }
  for (const options of [[], ['--since', '2h', '--after', 'evt_1'], ['--since', 'yesterday']])
    expect((await createHarness().run('webhooks', 'replay', webhook.id, ...options)).code).toBe(2);
});

it('waits for the result of a test, and fails if the endpoint has not accepted it', async () => {
  const test = { ...delivery, id: '019a8f3e-7c00-7000-8000-000000000812', eventId: null, failure: null };
  const testWith = (result: object) => {
    let reads = 0;
    return createHarness({
      respond: ({ method }) => {
        if (method === 'POST') return success({ ...test, status: 'PENDING' }, 201);
        const latest = reads++ === 0 ? { ...test, status: 'PENDING' } : { ...test, ...result };
        return success({ deliveries: [delivery, latest], hasMore: false });
      },
    }).run('webhooks', 'test', webhook.id, '--json');
  };
  const accepted = await testWith({ status: 'DELIVERED', responseStatus: 204 });
  expect(JSON.parse(accepted.stdout)).toMatchObject({ id: test.id, status: 'DELIVERED' });
  expect(accepted.code).toBe(0);
  const failed = await testWith({ status: 'FAILED', failure: 'The host has no address' });
  expect(JSON.parse(failed.stdout)).toMatchObject({ id: test.id, status: 'FAILED' });
  expect(failed.stderr).toContain('The test was not accepted: The host has no address');
  expect(failed.code).toBe(1);
});

it('names the flags of refused values, and refuses contradictions', async () => {
  const respond = () => failure(400, 'Validation failed', { data: ['url must be an https URL'] });
  const { stderr } = await createHarness({ respond }).run('webhooks', 'update', webhook.id, '--url', 'x');
  expect(stderr).toContain('--url must be an https URL');
  for (const options of [['--enable', '--disable'], []])
    expect((await createHarness().run('webhooks', 'update', webhook.id, ...options)).code).toBe(2);
});
