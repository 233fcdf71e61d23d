import type { OpenApiDocument } from '@keyfront/api-reference';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { refuseEverybody, startTestApp, type TestApp } from '../../../../test/support/test-app.ts';

const routes: { method: string; url: string }[] = [];
let service: TestApp;
let document: OpenApiDocument;

beforeAll(async () => {
  service = await startTestApp({ guard: refuseEverybody, stagingUrl: 'https://staging.shop.example/api/v1' });
  document = JSON.parse((await curl(`${service.origin}/api/v1/openapi.json`)).text);
  routes.push(...readRouteTree(service.app.printRoutes({ commonPrefix: false })));
});
afterAll(() => service.close());

/** Fastify prints its routes as a tree, in which a route is indented below the one it continues. */
function readRouteTree(tree: string): { method: string; url: string }[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.length = depth;
    above.push(part);
    const url = above.join('');
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => ({ method, url }));
  });
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

describe('openapi.json', () => {
  it('says what it is and where', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ version: '1.0.0', 'x-deploy-version': '1.0' });
    expect(document.servers.map(({ url }) => url)).toEqual([
      `${service.origin}/api/v1`,
      'https://staging.shop.example/api/v1',
    ]);
    expect(Object.keys(document.components.securitySchemes as object)).toEqual([
      'apiKey',
      'signature',
      'jwt',
    ]);
  });

  it('names every route under the version prefix', () => {
    const documented = new Set(operations().map(({ method, path }) => `${method} ${path}`));
    const served = routes
      .filter(({ url }) => url.startsWith('/api/v1/') && url !== '/api/v1/openapi.json')
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(served.length).toBeGreaterThanOrEqual(4);
    expect([...documented].sort()).toEqual(served.sort());
  });

  it('has only paths that answer, at the address that server and path make together', async () => {
    for (const { method, path, operation } of operations()) {
      const url = `${document.servers[0]?.url}${path.replaceAll(/\{\w+\}/g, '019a8f3e-7c00-7000-8000-000000000001')}`;
      const answer = await curl('--request', method, url);
      // Nobody is let in, and nothing was handed in: that is what each must complain about.
      const expected = operation.security.length > 0 ? 401 : operation.requestBody ? 400 : 200;
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, expected]);
      expect(Object.keys(operation.responses)).toContain(String(answer.status));
    }
  });
});

describe('/docs', () => {
  it('is a page that loads nothing from anywhere', async () => {
    const answer = await curl(`${service.origin}/docs`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';/,
    );
    expect(answer.text).not.toMatch(/<script|<link|<iframe|@import|\bsrc=/i);
    for (const { operation } of operations()) expect(answer.text).toContain(`id="${operation.operationId}"`);
  });
});
