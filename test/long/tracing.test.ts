import { expect, it, onTestFinished } from 'vitest';
import { onTestCluster, startService } from '../support/service-process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

it('the bundled service sends traces of requests and queries, the last ones when it ends', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await onTestCluster(async (settings) => {
    const service = startService({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const { origin } = new URL(await service.ready);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { status } = await fetch(`${origin}/api/v1/auth/nonce`, {
      method: 'POST',
      headers: { traceparent, 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: `0x${'1'.repeat(40)}`, type: 'dapp' }),
    });
    expect(status).toBe(201);
    expect(await service.end()).toBe(0);
  });
  const spans = receiver
    .at('/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  const [request] = spans.filter(({ name }) => name === 'POST /api/v1/auth/nonce');
  expect(request).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
  });
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(queries.length).toBeGreaterThan(0);
});
