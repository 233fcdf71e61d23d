import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, type TestApp } from '../../../../test/support/test-app.ts';

const origin = 'https://shop.example';
let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ corsOrigins: [origin] });
});
afterAll(() => service.close());

function call(method: string, path: string, ...headers: string[]) {
  return curl(
    ...(method === 'HEAD' ? ['--head'] : ['--request', method]),
    ...headers.flatMap((header) => ['--header', header]),
    service.origin + path,
  );
}

function preflight(path: string, from = origin) {
  return call('OPTIONS', path, `origin: ${from}`, 'access-control-request-method: GET');
}

describe('with CORS_ORIGINS', () => {
  it('responds to the preflight of an allowed origin', async () => {
    const response = await preflight('/api/v1/planets');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-methods')).toBe('DELETE, GET, PATCH, POST, PUT');
    const allowed = response.headers.get('access-control-allow-headers')?.split(/, ?/);
    expect(allowed).toEqual(
      expect.arrayContaining(['x-auth-signature', 'signature', 'signature-input', 'content-digest']),
    );
    expect(response.headers.get('access-control-max-age')).toBe('600');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await preflight('/api/v1/dapp/orders/019a8f3e-7c00-7000-8000-000000000001')).status).toBe(204);
  });

  it('allows no other origin', async () => {
    const response = await preflight('/api/v1/planets', 'https://evil.example');
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    const read = await call('GET', '/api/v1/planets', 'origin: https://evil.example');
    expect(read.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('lets a page read the headers of a response', async () => {
    const response = await call('GET', '/api/v1/planets', `origin: ${origin}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id');
  });

  it.each(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])(
    'responds with 404 to %s of an unknown path',
    async (method) => {
      const response = await call(method, '/api/v1/nowhere', `origin: ${origin}`);
      expect(response.status).toBe(404);
      expect(response.headers.has('allow')).toBe(false);
      // Without it a browser would hide the 404 from the page.
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    },
  );

  it('responds with 404 to the preflight of an unknown path', async () => {
    const response = await preflight('/api/v1/nowhere');
    expect(response.json).toMatchObject({ statusCode: 404, message: 'Cannot OPTIONS /api/v1/nowhere' });
  });

  it('responds with 405 to a method that a known path does not take', async () => {
    const response = await call('DELETE', '/api/v1/planets', `origin: ${origin}`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it('responds with 405 to OPTIONS that is no preflight', async () => {
    for (const headers of [[], [`origin: ${origin}`], ['access-control-request-method: GET']]) {
      const response = await call('OPTIONS', '/api/v1/planets', ...headers);
      expect(response.json).toMatchObject({ statusCode: 405 });
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    }
  });
});

describe('without CORS_ORIGINS', () => {
  it('responds with 405 to a preflight, and names no origin', async () => {
    const closed = await startTestApp();
    try {
      const response = await curl(
        ...['--request', 'OPTIONS', '--header', `origin: ${origin}`],
        ...['--header', 'access-control-request-method: GET', `${closed.origin}/api/v1/planets`],
      );
      expect(response.status).toBe(405);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    } finally {
      await closed.close();
    }
  });
});
