import { failure } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, type TestApp, testMetricsToken } from '../../../../test/support/test-app.ts';

const token = testMetricsToken;
let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('/metrics', () => {
  it('contains requests by route and status, the pool and the event loop', async () => {
    await curl(`${service.origin}/api/v1/api/v1/planets`);
    await curl(`${service.origin}/api/v1/dapp/strains/019a8f3e-7c00-7000-8000-000000000001`);
    const response = await curl('--oauth2-bearer', token, `${service.origin}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(response.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v1/planets",status="200"} 1',
    );
    expect(response.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v1/dapp/strains/:strainId",status="404"} 1',
    );
    expect(response.text).toMatch(/database_pool_connections\{state="idle"\} \d/);
    expect(response.text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
  });

  it('does not contain paths that callers make up', async () => {
    await curl(`${service.origin}/api/v1/made-up-by-a-caller`);
    const { text } = await curl('--oauth2-bearer', token, `${service.origin}/metrics`);
    expect(text).not.toContain('made-up');
    expect(text).toContain('route="unknown",status="404"');
  });

  it('requires the token, also from this machine: a proxy need not say that it is one', async () => {
    const url = `${service.origin}/metrics`;
    for (const args of [
      [],
      ['--header', 'x-forwarded-for: 192.0.2.1'],
      ['--header', 'via: 1.1 proxy.example'],
      ['--http1.0'],
      ['--oauth2-bearer', 'wrong'],
    ]) {
      const rejected = await curl(...args, url);
      expect(rejected.json).toEqual({ ...failure('TOKEN_INVALID'), reason: expect.any(String) });
      expect(rejected.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
    }
    expect((await curl('--header', 'x-forwarded-for: 192.0.2.1', '--oauth2-bearer', token, url)).status).toBe(
      200,
    );
  });

  it('responds to nobody if there is no token', { tags: ['long'] }, async () => {
    const closed = await startTestApp({ metricsToken: null });
    try {
      for (const args of [[], ['--oauth2-bearer', 'null'], ['--header', 'authorization: Bearer ']]) {
        expect((await curl(...args, `${closed.origin}/metrics`)).status).toBe(401);
      }
    } finally {
      await closed.close();
    }
  });
});
