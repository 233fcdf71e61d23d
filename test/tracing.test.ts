import { callRpc } from '@keyfront/evm';
import type { CreatedWebhook } from '@keyfront/protocol';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { startTracing } from '../packages/server/src/observability/open-telemetry.ts';
import { getTracing, setTracing, type Tracing } from '../packages/server/src/observability/tracing.ts';
import { dataOf, openCallers, startStorefrontService } from './support/storefront.ts';
import { testMetricsToken } from './support/test-app.ts';
import { until } from './support/until.ts';
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

/** A span as OTLP writes it in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
}
const kinds = { server: 2, client: 3, producer: 4 };
const failed = 2;

/** Receives traces, webhooks and calls of the chain. */
let receiver: WebhookReceiver;
let tracing: Tracing;
let started: Awaited<ReturnType<typeof startStorefrontService>>;
let holder: Awaited<ReturnType<Awaited<ReturnType<typeof openCallers>>['addDigitalKey']>>;
const failures: unknown[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  tracing = startTracing({
    endpoint: `${receiver.url}/`,
    headers: { 'x-token': 'of the receiver' },
    resource: { 'service.name': 'shop', 'deployment.environment.name': 'test' },
    sampleRatio: 1,
    onFailure: (error) => failures.push(error),
  });
  setTracing(tracing);
  started = await startStorefrontService(
    (url) => new ChangeFeed({ url }),
    ({ loginUrl }) => ({
      isDemo: true,
      deliveries: { url: loginUrl, timing: { dispatchMs: 20, idleMs: 20, pollMs: 100 } },
    }),
  );
  holder = await (await openCallers(started)).addDigitalKey();
});
afterAll(async () => {
  await started.service.close();
  setTracing(null);
  await tracing.close();
  await receiver.close();
});
beforeEach(async () => {
  await tracing.flush();
  receiver.received.length = 0;
});

const listSpans = async (): Promise<Span[]> => {
  await tracing.flush();
  return receiver
    .at('/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans));
};
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${started.service.origin}${path}`, { headers });

it('continues the trace of a caller, from the request to its queries', async () => {
  const response = await holder.ask('GET', '/dapp/orders?search=confidential', {
    headers: { traceparent: `00-${traceId}-${parentId}-01` },
  });
  expect(response.status).toBe(200);
  const spans = await listSpans();
  const [request] = spans.filter(({ kind }) => kind === kinds.server);
  expect(request).toMatchObject({ traceId, parentSpanId: parentId, name: 'GET /api/v1/dapp/orders' });
  expect(attributesOf(request as Span)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/api/v1/dapp/orders',
    'http.response.status_code': 200,
    'keyfront.request_id': response.headers.get('x-request-id'),
  });
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries) {
    expect(query).toMatchObject({ traceId, kind: kinds.client });
    expect(attributesOf(query)['db.system.name']).toBe('postgresql');
  }
  const [batch] = receiver.at('/v1/traces');
  expect(batch?.headers['x-token']).toBe('of the receiver');
  const [{ resource }] = JSON.parse(batch?.body ?? '').resourceSpans;
  expect(resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'shop' } },
    { key: 'deployment.environment.name', value: { stringValue: 'test' } },
  ]);
  // Neither what callers send nor their credentials.
  const all = receiver
    .at('/v1/traces')
    .map(({ body }) => body)
    .join('');
  for (const secret of ['confidential', holder.walletAddress]) expect(all).not.toContain(secret);
  expect(failures).toEqual([]);
});

it('belongs to the same trace after the body has arrived', async () => {
  const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@traced.example' };
  await holder.ask('POST', '/dapp/clients', {
    body,
    headers: { traceparent: `00-${traceId}-${parentId}-01` },
  });
  const spans = (await listSpans()).filter((span) => span.traceId === traceId);
  expect(spans.map(({ name }) => name)).toContain('transaction.commit');
  expect(JSON.stringify(spans)).not.toContain('ada@traced.example');
});

it('begins a trace of its own, and leaves out those that a caller does not want', async () => {
  const path = '/api/v1/public/healthStatus';
  await get(path);
  await get(path, { traceparent: `00-${traceId}-${parentId}-00` });
  await get(path, { traceparent: 'not a header of W3C' });
  const spans = (await listSpans()).filter(({ name }) => name === `GET ${path}`);
  expect(spans).toHaveLength(2);
  for (const span of spans) {
    expect(span.traceId).not.toBe(traceId);
    expect(span.parentSpanId ?? '').toBe('');
  }
});

it('has the id of the trace in every log line of a request', async () => {
  const { logLines } = started.service;
  logLines.length = 0;
  const { status } = await get('/api/v1/keys', { traceparent: `00-${traceId}-${parentId}-01` });
  expect(status).toBe(401);
  const lines = await until(
    () => logLines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId !== undefined),
    (found) => found.some(({ msg }) => msg === 'request'),
  );
  // The request, its error at the level debug, and the security log.
  expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'security']));
  for (const line of lines) expect(line).toMatchObject({ trace_id: traceId });
});

it('neither traces nor logs probes and scrapes, unless they fail or the level is debug', async () => {
  const { logLines } = started.service;
  logLines.length = 0;
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    await get(path, { authorization: `Bearer ${testMetricsToken}` });
  expect((await get('/metrics')).status).toBe(401);
  const lines = await until(
    () => logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request'),
    ({ length }) => length === 4,
  );
  expect(lines.map(({ route, status, level }) => [route, status, level])).toEqual([
    ['/health/live', 200, 'debug'],
    ['/health/ready', 200, 'debug'],
    ['/metrics', 200, 'debug'],
    ['/metrics', 401, 'info'],
  ]);
  expect(await listSpans()).toEqual([]);
});

it('continues at the endpoints of webhooks', async () => {
  const webhook = dataOf<CreatedWebhook>(
    await holder.ask('POST', '/webhooks', {
      body: { url: `${receiver.url}/hook`, eventTypes: ['client.created'] },
    }),
  );
  await holder.ask('POST', `/webhooks/${webhook.id}/test`);
  const [delivery] = await until(
    () => receiver.at('/hook'),
    ({ length }) => length > 0,
  );
  const [, trace, span] = delivery?.headers.traceparent?.split('-') ?? [];
  const delivered = await until(
    async () => (await listSpans()).filter(({ name }) => name === 'deliver webhook'),
    ({ length }) => length > 0,
  );
  expect(delivered[0]).toMatchObject({ kind: kinds.producer, traceId: trace, spanId: span });
  expect(attributesOf(delivered[0] as Span)['keyfront.outcome']).toBe('delivered');
});

it('continues at the node of the chain, and marks failed calls', async () => {
  const signal = AbortSignal.timeout(30_000);
  await expect(callRpc(`${receiver.url}/node`, 'eth_chainId', [], { signal })).rejects.toThrow();
  const [call] = receiver.at('/node');
  const [span] = (await listSpans()).filter(({ name }) => name === 'eth_chainId');
  expect(call?.headers.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
  expect(span).toMatchObject({ kind: kinds.client, status: { code: failed } });
});

it('reports a receiver that is not there, and goes on', async () => {
  setTracing(null);
  const lost: unknown[] = [];
  const broken = startTracing({
    endpoint: 'http://127.0.0.1:1',
    headers: {},
    resource: { 'service.name': 'shop' },
    sampleRatio: 1,
    onFailure: (error) => lost.push(error),
    exportTimeoutMs: 200,
  });
  expect(await broken.run({ name: 'work', kind: 'client' }, async () => 'done')).toBe('done');
  await broken.flush().catch(() => undefined);
  await broken.close();
  expect(lost).not.toEqual([]);
  expect(getTracing()).toBeNull();
});
