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

/** For many requests: curl takes a process for each, and compression most of the time. */
async function get(url: string, method = 'GET') {
  const headers = { 'accept-encoding': 'identity' };
  const response = await fetch(url, { method, headers, redirect: 'manual' });
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
    // Documents, and the endpoint of agents, which is no operation and has a guide.
    const others = ['/api/v1/openapi.json', '/api/v1/postman.json', '/api/v1/mcp'];
    const served = routes
      .filter(({ url }) => url.startsWith('/api/v1/') && !others.includes(url))
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

/** Every page that `llms.txt` lists, the overview and the groups, by their addresses. They are read once. */
let pages: Promise<Map<string, string>> | undefined;

async function readPages(): Promise<Map<string, string>> {
  const { text } = await get(`${service.origin}/llms.txt`);
  const links = [...text.matchAll(/\]\((\S+)\.md\)/g)].map(([, link = '']) => link);
  const groups = document.tags.map(({ name }) => `${service.origin}/docs/reference/${name.toLowerCase()}`);
  const read = new Map<string, string>();
  for (const url of [`${service.origin}/docs`, ...groups, ...links]) {
    const page = await get(url);
    expect([url, page.status]).toEqual([url, 200]);
    read.set(url, page.text);
  }
  return read;
}

function allPages(): Promise<Map<string, string>> {
  pages ??= readPages();
  return pages;
}

describe('/docs', () => {
  it('has a page for every operation and every event, which the overview names', {
    tags: ['long'],
  }, async () => {
    const { status, text, headers } = await curl(`${service.origin}/docs`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const events = Object.values(document.webhooks ?? {}).flatMap((methods) => Object.values(methods));
    const ids = [
      ...operations().map(({ operation }) => operation.operationId),
      ...events.map((event) => (event as { operationId: string }).operationId),
    ];
    expect(ids.length).toBeGreaterThan(130);
    for (const id of ids) {
      expect(text).toContain(`id="${id}" data-moved="${id}" href="docs/operations/${id}"`);
      expect((await allPages()).get(`${service.origin}/docs/operations/${id}`)).toContain('<h1>');
    }
    expect(text).toContain('href="docs/guides/errors"');
  });

  it('has no page of more than 300 kB or 5,000 nodes, or one that is not strict', {
    tags: ['long'],
  }, async () => {
    expect((await allPages()).size).toBeGreaterThan(180);
    for (const [url, text] of await allPages()) {
      const nodes = text.match(/<[a-z]/g)?.length ?? 0;
      expect([url, Buffer.byteLength(text) <= 300_000, nodes > 50 && nodes <= 5_000]).toEqual([
        url,
        true,
        true,
      ]);
      expect(text).not.toMatch(/<style|<iframe|\sstyle=|\son\w+=/);
      expect(text).not.toContain('keyfront.invalid');
    }
  });

  it('names the addresses of this installation', async () => {
    const { text } = await get(`${service.origin}/docs`);
    expect(text).toContain(`<code>${service.origin}/api/v1</code>`);
    expect(text).toContain('<code>https://staging.shop.example/api/v1</code>');
    const page = await get(`${service.origin}/docs/operations/createOrder`);
    expect(page.text).toContain(`&quot;${service.origin}/api/v1/dapp/orders&quot;`);
  });

  it('runs under a policy that allows nothing inline and nothing from elsewhere', async () => {
    const response = await curl(`${service.origin}/docs/operations/createOrder`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
    for (const [script] of response.text.matchAll(/<script.*?>/g))
      expect(script).toContain(' src="../../docs/assets/');
  });

  it('has links that all lead somewhere, on every page', { tags: ['long'] }, async () => {
    const linked = new Set<string>();
    for (const [page, text] of await allPages()) {
      for (const { href } of linksOf(text, page)) if (!href.endsWith('.md')) linked.add(href);
    }
    const idsByUrl = new Map<string, Set<string>>();
    for (const link of linked) {
      const { origin, pathname, hash } = new URL(link);
      const url = origin + pathname;
      if (!idsByUrl.has(url)) {
        const target = (await allPages()).get(url) ?? (await get(url)).text;
        expect([url, target.startsWith('{"success":false')]).toEqual([url, false]);
        idsByUrl.set(url, new Set([...target.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)));
      }
      const isThere = hash === '' || idsByUrl.get(url)?.has(decodeURIComponent(hash.slice(1)));
      expect([link, isThere]).toEqual([link, true]);
    }
  });

  it('has the SDK, the command line, the glossary, the changelog and the settings', async () => {
    for (const [path, text] of [
      ['sdk', "from '@keyfront/sdk'"],
      ['cli', 'keyfront login'],
      ['glossary', 'canonical payload'],
      ['changelog', '@keyfront/server'],
      ['operating/settings', 'DATABASE_URL'],
    ]) {
      const page = await get(`${service.origin}/docs/${path}.md`);
      expect([path, page.status, page.text.includes(text ?? '')]).toEqual([path, 200, true]);
    }
  });

  it('leads to the page from addresses that people guess', async () => {
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/guides', '../docs#page-guides'],
      ['/docs/operations', '../docs#page-operations'],
    ]) {
      const response = await curl(service.origin + path);
      expect([response.status, response.headers.get('location')]).toEqual([302, location]);
    }
  });
});

describe('Markdown', () => {
  const ask = (path: string, accept: string) =>
    curl('--header', `accept: ${accept}`, `${service.origin}${path}`);

  it('is sent at the address with .md, and to who prefers it', async () => {
    for (const path of [
      '/docs',
      '/docs/guides/orders',
      '/docs/operations/createOrder',
      '/docs/reference/orders',
    ]) {
      const markdown = await curl(`${service.origin}${path}.md`);
      expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(markdown.headers.get('vary')).toBe('accept-encoding');
      expect(markdown.headers.get('content-security-policy')).not.toContain('script-src');
      expect(markdown.text).toMatch(/^# /);
      const html = await curl(`${service.origin}${path}`);
      expect(html.headers.get('vary')).toBe('accept, accept-encoding');
      for (const accept of [
        'text/markdown',
        'text/markdown, text/html;q=0.9, */*;q=0.1',
        'text/markdown, */*',
      ]) {
        const negotiated = await ask(path, accept);
        expect([path, accept, negotiated.text === markdown.text]).toEqual([path, accept, true]);
        expect(negotiated.headers.get('vary')).toBe('accept, accept-encoding');
        expect(negotiated.headers.get('etag')).toBe(markdown.headers.get('etag'));
        expect(negotiated.headers.get('etag')).not.toBe(html.headers.get('etag'));
      }
      for (const accept of ['*/*', 'text/html', 'text/html, text/markdown;q=0.5', 'text/markdown;q=0, */*']) {
        expect([accept, (await ask(path, accept)).text === html.text]).toEqual([accept, true]);
      }
    }
  });

  it('has links that all lead somewhere, from llms.txt on', { tags: ['long'] }, async () => {
    const response = await curl(`${service.origin}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.text).toMatch(/^# Keyfront\n\n> .+\n\n/);
    const seen = new Set([`${service.origin}/llms.txt`]);
    // A set grows while it is read.
    for (const url of seen) {
      const { status, text } = await get(url);
      expect([url, status]).toEqual([url, 200]);
      if (!/\.(md|txt)$/.test(url)) continue;
      const prose = text.replaceAll(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, '').replaceAll(/`[^`\n]*`/g, '');
      for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const link = new URL(href, url);
        if (link.origin === service.origin) seen.add(link.origin + link.pathname);
      }
    }
    expect(seen.size).toBeGreaterThan(180);
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
  const pages = [
    '/docs',
    '/docs/guides/errors',
    '/docs/guides/errors.md',
    '/llms.txt',
    '/api/v1/openapi.json',
  ];

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
        expect(response.headers.get('vary')).toMatch(/^(accept, )?accept-encoding$/);
        expect(response.headers.get('cache-control')).toBe('no-cache');
        expect(response.text === text).toBe(true);
        const etag = response.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]+"$/);

        const again = await curl(...header, '--header', `if-none-match: ${etag}`, url);
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
        expect(again.headers.get('vary')).toBe(response.headers.get('vary'));

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
    expect(assets.length).toBeGreaterThanOrEqual(3);
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
