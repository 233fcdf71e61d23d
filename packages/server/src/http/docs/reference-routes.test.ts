import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '@keyfront/api-reference';
import { errorTable } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../../test/support/curl.ts';
import { refuseEverybody, startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { routeAliases } from '../../boot/route-aliases.ts';

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

/** For many requests: curl takes a process for each. */
async function get(url: string, method = 'GET') {
  const response = await fetch(url, { method, redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

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
      'boundInput',
      'boundSignature',
      'jwt',
      'webhookId',
      'webhookTimestamp',
      'webhookSignature',
    ]);
  });

  it('names every route under the version prefix', () => {
    const documented = new Set([
      ...operations().map(({ method, path }) => `${method} ${path}`),
      // Listed in the guide for existing storefronts instead.
      ...routeAliases.map(({ method, path }) => `${method} /api/v1${path}`),
    ]);
    const served = routes
      .filter(({ url }) => url.startsWith('/api/v1/') && url !== '/api/v1/openapi.json')
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(served.length).toBeGreaterThanOrEqual(4);
    expect([...documented].sort()).toEqual(served.sort());
  });

  it('has only paths that answer, at the address that server and path make together', async () => {
    for (const { method, path, operation } of operations()) {
      const url = `${document.servers[0]?.url}${path.replaceAll(/\{\w+\}/g, '019a8f3e-7c00-7000-8000-000000000001')}`;
      const answer = await get(url, method);
      // Nobody is let in, and nothing was handed in: that is what each must complain about.
      const expected = operation.security.length > 0 ? 401 : operation.requestBody ? 400 : 200;
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, expected]);
      expect(Object.keys(operation.responses)).toContain(String(answer.status));
    }
  });
});

/** The links of a page that stay on the service, resolved. */
const linksOf = (page: string, url: string) =>
  [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)]
    .map(([, href = '']) => new URL(href, url))
    .filter(({ origin }) => origin === service.origin);

describe('/docs', () => {
  it('describes every operation and lists the guides', async () => {
    const response = await curl(`${service.origin}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const { operation } of operations())
      expect(response.text).toContain(`id="${operation.operationId}"`);
    expect(response.text).toContain('href="docs/guides/errors"');
  });

  it('runs under a policy that allows nothing inline and nothing from elsewhere', async () => {
    const response = await curl(`${service.origin}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
    expect(response.text).not.toMatch(/<style|<iframe|\sstyle=|\son\w+=/);
    for (const [script] of response.text.matchAll(/<script.*?>/g))
      expect(script).toContain(' src="docs/assets/');
  });

  it('has links that all lead somewhere, on every page', async () => {
    const home = `${service.origin}/docs`;
    const { text } = await curl(home);
    const guides = linksOf(text, home).filter(({ pathname }) => pathname.startsWith('/docs/guides/'));
    expect(guides.length).toBeGreaterThanOrEqual(5);
    const linked = new Set<string>();
    for (const page of new Set([home, ...guides.map(({ origin, pathname }) => origin + pathname)])) {
      for (const { href } of linksOf((await get(page)).text, page)) linked.add(href);
    }
    const idsByUrl = new Map<string, Set<string>>();
    for (const link of linked) {
      const { origin, pathname, hash } = new URL(link);
      const url = origin + pathname;
      if (!idsByUrl.has(url)) {
        const target = await get(url);
        expect([url, target.status]).toEqual([url, 200]);
        idsByUrl.set(url, new Set([...target.text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)));
      }
      const isThere = hash === '' || idsByUrl.get(url)?.has(decodeURIComponent(hash.slice(1)));
      expect([link, isThere]).toEqual([link, true]);
    }
  });

  it('leads to the page from addresses that people guess', async () => {
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/guides', '../docs#page-guides'],
    ]) {
      const response = await curl(service.origin + path);
      expect([response.status, response.headers.get('location')]).toEqual([302, location]);
    }
  });
});

describe('/docs/guides', () => {
  it('explains every error code at an address of its own', async () => {
    const { text } = await curl(`${service.origin}/docs/guides/errors`);
    for (const code of Object.keys(errorTable)) expect(text).toContain(` id="${code}"`);
  });

  it('serves every guide that there is', async () => {
    const files = readdirSync(fileURLToPath(new URL('../../../../../docs/guides', import.meta.url)));
    for (const file of files.filter((name) => name.endsWith('.md') && name !== 'README.md')) {
      const { status, text } = await get(`${service.origin}/docs/guides/${file.replace(/\.md$/, '')}`);
      expect([file, status]).toEqual([file, 200]);
      expect(text).toContain('aria-current="page"');
    }
  });

  it('serves the images that guides show', async () => {
    const page = `${service.origin}/docs/guides/console`;
    const { text } = await curl(page);
    const images = [...text.matchAll(/<img src="([^"]*)" alt="([^"]+)">/g)];
    expect(images).toHaveLength(6);
    for (const [, source = ''] of images) {
      const response = await fetch(new URL(source, page));
      expect([source, response.status]).toEqual([source, 200]);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(8, 12)
          .toString(),
      ).toBe('WEBP');
    }
  });

  it('answers 404 in the envelope for one that there is not', async () => {
    for (const path of [
      '/docs/guides/nothing',
      '/docs/guides/../../package.json',
      '/docs/assets/0/main.js',
    ]) {
      const response = await curl('--path-as-is', service.origin + path);
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.json).toMatchObject({ success: false, statusCode: 404, data: null });
    }
  });
});

describe('files of the reference', () => {
  const pages = ['/docs', '/docs/guides/errors', '/api/v1/openapi.json'];

  it('are sent compressed, revalidated, and with HEAD alike', async () => {
    for (const path of pages) {
      const url = service.origin + path;
      const { text } = await curl(url);
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['identity', undefined],
      ] as const) {
        const header = ['--header', `accept-encoding: ${accepted}`];
        const response = await curl('--compressed', ...header, url);
        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(response.headers.get('vary')).toBe('accept-encoding');
        expect(response.headers.get('cache-control')).toBe('no-cache');
        expect(response.text === text).toBe(true);
        const etag = response.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]+"$/);

        const again = await curl(...header, '--header', `if-none-match: ${etag}`, url);
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
        expect(again.headers.get('vary')).toBe('accept-encoding');

        const head = await curl('--head', ...header, url);
        expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
        expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
      }
    }
  });

  it('are kept for good by browsers where their address changes with them', async () => {
    const { text } = await curl(`${service.origin}/docs`);
    const assets = linksOf(text, `${service.origin}/docs`).filter(({ pathname }) =>
      pathname.startsWith('/docs/assets/'),
    );
    expect(assets.length).toBeGreaterThanOrEqual(4);
    for (const { href } of assets) {
      const response = await curl(href);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });
});

describe('/', () => {
  it.each([
    ['GET', []],
    ['HEAD', ['--head']],
  ])('redirects %s to the reference without a credential', async (_method, options) => {
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

  it('is not part of the API description', () => {
    expect(Object.keys(document.paths)).not.toContain('/');
  });
});
