import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestAppOn, type TestApp } from '../../../../../test/support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';

let database: TestDatabase;
let service: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestAppOn(database, { console: true });
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.origin + path, { headers, redirect: 'manual' });

const policyOf = ({ headers }: Response) =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources] as const;
    }),
  );

/** The files that the page names. */
async function listAssets(): Promise<string[]> {
  const html = await (await get('/console')).text();
  return [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);
}

describe('the page of the console', () => {
  it('is sent at every path that is not a file', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/orders/1?status=PAID',
      '/console/..%2findex.html',
    ]) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<div id="root">');
    }
  });

  it('allows its own files, and styles with a nonce that is new each time', async () => {
    const [first, second] = [await get('/console'), await get('/console')];
    const policy = policyOf(first);
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", expect.stringMatching(/^'nonce-[\w-]{24}'$/)],
      'font-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(policy.get('style-src')).not.toEqual(policyOf(second).get('style-src'));
    const html = await first.text();
    expect(`'nonce-${/keyfront-nonce" content="([^"]+)"/.exec(html)?.[1]}'`).toBe(
      policy.get('style-src')?.[1],
    );
    // No script or style stands in the page itself.
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=|%KEYFRONT/);
  });

  it('tells the page its settings', async () => {
    const html = await (await get('/console')).text();
    const [, text = ''] = /keyfront-settings" content="([^"]+)"/.exec(html) ?? [];
    expect(JSON.parse(text.replaceAll('&#34;', '"'))).toEqual({
      chainId: 1,
      marketplaceContract: null,
      explorerUrl: 'https://etherscan.io',
      demoWallets: 'none',
      isSandbox: false,
    });
  });
});

describe('the files of the console', () => {
  it('are cached for ever by their names, and sent compressed', async () => {
    const assets = await listAssets();
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets.filter((each) => each.includes('/assets/'))) {
      const brotli = await get(path, { 'accept-encoding': 'br, gzip' });
      expect(brotli.status, path).toBe(200);
      expect(brotli.headers.get('content-encoding')).toBe('br');
      expect(brotli.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const gzip = await get(path, { 'accept-encoding': 'gzip' });
      expect(gzip.headers.get('content-encoding')).toBe('gzip');
      const plain = await get(path, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const texts = await Promise.all([brotli, gzip, plain].map((response) => response.text()));
      expect(new Set(texts).size).toBe(1);
      const etag = plain.headers.get('etag') ?? '';
      const again = await get(path, { 'accept-encoding': 'identity', 'if-none-match': etag });
      expect(again.status).toBe(304);
    }
  });

  it('take at most 250 kB of JavaScript until the overview is there', async () => {
    // The overview is part of what the page loads at first. A browser test counts what it really loads.
    const scripts = (await listAssets()).filter((path) => path.endsWith('.js'));
    let bytes = 0;
    for (const path of scripts) {
      const response = await fetch(service.origin + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'gzip' },
      });
      bytes += Number(response.headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });

  it('are those that the build has listed', async () => {
    for (const path of [
      '/console/assets/missing.js',
      '/console/assets/..%2f..%2fpackage.json',
      '/console/assets/index.html',
    ]) {
      const response = await get(path);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
    // The list itself and the page with its placeholders are not files.
    for (const path of ['/console/files.json', '/console/index.html', '/console/../package.json']) {
      expect(await (await get(path)).text(), path).not.toContain('%KEYFRONT');
    }
  });
});

describe('the first page', () => {
  it('is the reference, and the console in the demo', async () => {
    expect((await get('/')).headers.get('location')).toBe('/docs');
    const demo = await startTestAppOn(database, { console: true, isDemo: true });
    const demoWithout = await startTestAppOn(database, { console: false, isDemo: true });
    try {
      const target = async ({ origin }: TestApp) =>
        (await fetch(origin, { redirect: 'manual' })).headers.get('location');
      expect(await target(demo)).toBe('/console');
      expect(await target(demoWithout)).toBe('/docs');
      expect((await fetch(`${demoWithout.origin}/console`)).status).toBe(404);
    } finally {
      await demo.app.close();
      await demoWithout.app.close();
    }
  });
});
