import { failure } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, type TestApp } from '../../../../test/support/test-app.ts';

const token = 'a token for the metrics';
let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ metricsToken: token });
});
afterAll(() => service.close());

describe('/metrics', () => {
  it('contains requests by route and status, the pool and the event loop', async () => {
    await curl(`${service.origin}/api/v1/api/v1/planets`);
    await curl(`${service.origin}/api/v1/dapp/strains/019a8f3e-7c00-7000-8000-000000000001`);
    const response = await curl(`${service.origin}/metrics`);
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
    const { text } = await curl(`${service.origin}/metrics`);
    expect(text).not.toContain('made-up');
    expect(text).toContain('route="unknown",status="404"');
  });

  it('rejects calls through a proxy without the token', async () => {
    for (const header of ['x-forwarded-for: 192.0.2.1', 'forwarded: for=192.0.2.1', 'x-real-ip: 192.0.2.1']) {
      const rejected = await curl('--header', header, `${service.origin}/metrics`);
      expect(rejected.json).toEqual(failure('TOKEN_INVALID'));
      expect(rejected.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
      const wrong = await curl('--header', header, '--oauth2-bearer', 'wrong', `${service.origin}/metrics`);
      expect(wrong.status).toBe(401);
      const right = await curl('--header', header, '--oauth2-bearer', token, `${service.origin}/metrics`);
      expect(right.status).toBe(200);
    }
  });
});
