import { afterAll, beforeAll, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { refuseEverybody, startTestApp, type TestApp } from '../../../../test/support/test-app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ guard: refuseEverybody });
});
afterAll(() => service.close());

it.each([
  ['GET', []],
  ['HEAD', ['--head']],
])('redirects %s / to the reference without a credential', async (_method, options) => {
  const response = await curl(...options, `${service.origin}/?utm_source=mail`);
  expect([response.status, response.text]).toEqual([302, '']);
  expect(response.headers.get('location')).toBe('/docs');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((await curl(...options, `${service.origin}/docs`)).status).toBe(200);
});

it('takes no other method', async () => {
  const response = await curl('--request', 'POST', service.origin);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
});

it('is not part of the API description', async () => {
  const { json } = await curl(`${service.origin}/api/v1/openapi.json`);
  expect(Object.keys((json as { paths: object }).paths)).not.toContain('/');
});
