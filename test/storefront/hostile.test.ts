import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../support/storefront-shop.ts';

/** What a customer may try who wants more than their own. */
describe('a hostile customer of the storefront', () => {
  let shop: Shop;
  /** Signed in, registered, and with a verified identity. */
  let cookie: string;
  /** An order of somebody else. */
  let orderId: string;
  /** Everything that the shop has sent. */
  let received = '';

  beforeAll(async () => {
    shop = await openShop();
    cookie = await register();
    const { orders } = await shop.holder.orders.list({ take: 1 });
    orderId = orders[0]?.id ?? '';
    expect(orderId).not.toBe('');
  });
  afterAll(() => shop?.close());

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ origin: shop.url, cookie: cookie ?? '', ...(init.headers as object) });
    const response = await fetch(shop.url + path, { redirect: 'manual', ...init, headers });
    received += JSON.stringify([...response.headers]) + (await response.clone().text());
    return response;
  }
  const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(form), headers });

  async function register(): Promise<string> {
    const readCookie = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const email = `${randomUUID()}@example.org`;
    const [, code = ''] =
      /class="code">(\d{6})</.exec(await (await post('/sign-in', { email })).text()) ?? [];
    const signedIn = readCookie(await post('/sign-in', { email, code }));
    const form = {
      ...{ firstName: 'Mallory', lastName: 'Example', address: 'Rua do Exemplo 1', postalCode: '1000-001' },
      ...{ city: 'Lisboa', countryCode: 'PRT', conditions: 'None', isAdult: 'on' },
    };
    return readCookie(await post('/register', form, { cookie: signedIn }));
  }

  it('sees, pays and prints no order of others, on no way that the browser or a program has', async () => {
    for (const path of ['', '/invoice', '.data', '/invoice.data', '.data?_routes=routes%2Forder']) {
      const response = await send(`/orders/${orderId}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
    }
    expect((await post(`/orders/${orderId}/pay`)).status).toBe(404);
    for (const path of ['..%2Fkeys', '..%2F..%2Fkeys', '%00', "'", '-', '019a8f3e'])
      expect((await send(`/orders/${path}`)).status).toBe(404);
    const { orders } = await shop.holder.orders.list({ take: 1 });
    expect(received).not.toContain(orders[0]?.invoiceNumber);
  });

  it('cannot let other sites send forms', async () => {
    const origins = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${shop.url}.evil.example` },
    ];
    for (const headers of origins) {
      for (const path of ['/cart', '/account/erase', `/orders/${orderId}/pay`, '/sign-out', '/cart.data']) {
        const response = await post(path, { intent: 'add', strainId: randomUUID(), quantity: '1' }, headers);
        expect([path, headers.origin, [400, 403].includes(response.status)]).toEqual([
          path,
          headers.origin,
          true,
        ]);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    }
    expect((await send('/account')).status).toBe(200);
  });

  it('does not decide how much memory a body takes', async () => {
    const large = 'x'.repeat(2_000_000);
    expect((await post('/cart', { padding: large })).status).toBe(413);
    expect((await post('/sign-in', { email: large })).status).toBe(413);
    expect((await post('/hooks/keyfront', { padding: large })).status).toBe(413);
    expect(
      (await send('/cart', { method: 'POST', body: '{', headers: { 'content-type': 'multipart/form-data' } }))
        .status,
    ).toBe(400);
    // One that never ends is cut off, with an answer or without.
    for (const path of ['/hooks/keyfront', '/cart']) expect([413, null]).toContain(await sendEndless(path));
    expect((await send('/')).status).toBe(200);
  });

  /** The status, or null where the connection ended without one. */
  function sendEndless(path: string): Promise<number | null> {
    return new Promise((resolve) => {
      const headers = { origin: shop.url, 'content-type': 'application/x-www-form-urlencoded' };
      const endless = request(shop.url + path, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode ?? null);
        endless.destroy();
      });
      endless.on('error', () => resolve(null));
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const write = () => {
        while (!endless.destroyed && endless.write(chunk));
        endless.once('drain', write);
      };
      write();
    });
  }

  it('puts nothing into the page that runs, and finds no secret in any byte', async () => {
    const attack = '"><script>alert(1)</script>';
    const page = await (
      await send(`/?search=${encodeURIComponent(attack)}&sort=${encodeURIComponent(attack)}`)
    ).text();
    expect(page).not.toContain(attack);
    for (const path of [
      '/',
      '/cart',
      '/account',
      '/orders',
      '/checkout',
      '/_root.data',
      '/account.data',
      '/.env',
      '/..%2f.env',
    ])
      await send(path);
    const {
      KEYFRONT_SECRET_KEY: secretKey = '',
      KEYFRONT_WEBHOOK_SECRET: webhookSecret = '',
      SESSION_SECRET: sessionSecret = '',
    } = shop.settings;
    for (const secret of [secretKey, webhookSecret, sessionSecret]) {
      expect(secret.length).toBeGreaterThan(30);
      expect(received.includes(secret)).toBe(false);
      expect(received.includes(secret.slice(40, 80) || secret)).toBe(false);
    }
    expect(received.length).toBeGreaterThan(50_000);
  });
});
