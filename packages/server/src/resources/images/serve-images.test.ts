import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../../test/support/curl.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

const path = '/images/demo/v1/strains/lunar-saffron.svg';
const get = (target: string, init: RequestInit = {}) => fetch(service.origin + target, init);

describe('a drawing of the demo', () => {
  it('is served to anybody, for a year, and can do nothing but be seen', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<svg /);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  it('is compressed for clients that accept it', async () => {
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await get(path, { headers: { 'accept-encoding': encoding } });
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(Number(headers.get('content-length'))).toBeLessThan(5_000);
    }
  });

  it('is not sent again to a client that has it', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const again = await get(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name));
    }
  });
});

describe('an image that does not exist', () => {
  it.each([
    '/images/',
    '/images/nothing.png',
    '/images/demo/v1/strains/nothing.svg',
    `/images/${'0'.repeat(64)}.png`,
    `/images/${'0'.repeat(64)}.svg`,
    '/images/..%2f..%2fsecrets.json',
    '/images/%2e%2e/secrets.json',
    '/images/%252e%252e%252fsecrets.json',
    '/images/....//secrets.json',
    `/images/${'0'.repeat(64)}.png%00.svg`,
    '/images/C:%5Cwindows%5Cwin.ini',
  ])('is a 404 with the envelope: %s', async (target) => {
    const { status, json, headers } = await curl('--path-as-is', service.origin + target);
    expect([status, (json as { code: string }).code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/images/../secrets.json', '/images/../../etc/passwd'])(
    'is not reached through a folder above: %s',
    async (target) => {
      const { status } = await curl('--path-as-is', service.origin + target);
      expect(status).toBe(404);
    },
  );
});

it('accepts no other methods', async () => {
  const response = await get(path, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
