import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openShop, type Shop } from '../support/storefront-shop.ts';

const minuteMs = 60_000;

describe('sign-in codes of the storefront', () => {
  const file = join(tmpdir(), `keyfront-codes-${randomUUID()}.db`);
  let codes: typeof import('../../examples/storefront/app/sign-in-codes.server.ts');
  let closeDatabase: () => void;

  beforeAll(async () => {
    for (const name of [
      'KEYFRONT_URL',
      'KEYFRONT_API_KEY',
      'KEYFRONT_SECRET_KEY',
      'KEYFRONT_WEBHOOK_SECRET',
      'SHOP_URL',
      'SESSION_SECRET',
    ])
      vi.stubEnv(name, 'for tests');
    vi.stubEnv('DATABASE_FILE', file);
    codes = await import('../../examples/storefront/app/sign-in-codes.server.ts');
    const { database } = await import('../../examples/storefront/app/database.server.ts');
    closeDatabase = () => database.close();
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    closeDatabase();
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
  });

  const newEmail = () => `${randomUUID()}@example.org`;
  /** Another code of six digits. */
  const wrong = (code: string | null) => (code === '000000' ? '000001' : '000000');

  it('accepts a code once, for its address only, and for ten minutes', () => {
    const [email, other] = [newEmail(), newEmail()];
    const now = Date.now();
    const code = codes.createCode(email, now) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    expect(codes.acceptCode(other, code, now)).toBe(false);
    expect(codes.acceptCode(email, code, now + 10 * minuteMs)).toBe(false);
    expect(codes.acceptCode(email, code, now + 10 * minuteMs - 1)).toBe(true);
    expect(codes.acceptCode(email, code, now)).toBe(false);
  });

  it('lets nobody guess', () => {
    const email = newEmail();
    const code = codes.createCode(email);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(codes.acceptCode(email, wrong(code))).toBe(false);
    expect(codes.acceptCode(email, code ?? '')).toBe(false);
  });

  it('sends five codes an hour to an address, and the latest is valid', () => {
    const email = newEmail();
    const now = Date.now();
    const sent = Array.from({ length: 5 }, () => codes.createCode(email, now));
    expect(codes.createCode(email, now + 59 * minuteMs)).toBeNull();
    expect(codes.acceptCode(email, sent.at(-1) ?? '', now)).toBe(true);
    expect(codes.createCode(email, now + 60 * minuteMs)).toMatch(/^\d{6}$/);
  });

  it('stores no code', async () => {
    const { database } = await import('../../examples/storefront/app/database.server.ts');
    const email = newEmail();
    const code = codes.createCode(email) ?? '';
    const row = database.prepare('SELECT hash FROM sign_in_codes WHERE email = ?').get(email) as {
      hash: string;
    };
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(row.hash).not.toContain(code);
    codes.forgetCodes(email);
    expect(database.prepare('SELECT * FROM sign_in_codes WHERE email = ?').get(email)).toBeUndefined();
  });
});

describe('the session of the storefront', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop?.close());

  /** Enters a new address and its code. */
  async function signIn(): Promise<string> {
    const email = `${randomUUID()}@example.org`;
    const asked = await post('/sign-in', { email });
    const code = /class="code">(\d{6})</.exec(await asked.text())?.[1] ?? '';
    return (await post('/sign-in', { email, code })).headers.getSetCookie()[0] ?? '';
  }

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(shop.url + path, {
      ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'manual' as const },
      headers: { origin: shop.url, ...headers },
    });
  const leadsTo = async (cookie: string) =>
    (await fetch(`${shop.url}/account`, { headers: { cookie }, redirect: 'manual' })).headers.get('location');

  it('is a cookie that scripts cannot read, that other sites cannot use, and that nobody can change', async () => {
    const setCookie = await signIn();
    expect(setCookie).toMatch(/; HttpOnly/);
    expect(setCookie).toMatch(/; SameSite=Lax/);
    const cookie = setCookie.split(';')[0] ?? '';
    // Signed in, and not registered yet.
    expect(await leadsTo(cookie)).toBe('/register?returnTo=%2Faccount');
    const [value = '', signature = ''] = decodeURIComponent(cookie.slice('shop='.length)).split('.');
    const data = JSON.parse(Buffer.from(value, 'base64').toString());
    const { orders } = await shop.holder.orders.list({ take: 1 });
    const forged = Buffer.from(JSON.stringify({ ...data, clientId: orders[0]?.client.id })).toString(
      'base64',
    );
    expect(await leadsTo(`shop=${encodeURIComponent(`${forged}.${signature}`)}`)).toBe(
      '/sign-in?returnTo=%2Faccount',
    );
  });

  it('is not taken from forms of other sites', async () => {
    for (const path of ['/country', '/cart', '/sign-in', '/sign-out', '/account/erase', '/orders/1/pay']) {
      const response = await post(path, { email: 'a@example.org' }, { origin: 'https://evil.example' });
      // React Router itself refuses them for pages, with 400.
      expect([400, 403]).toContain(response.status);
    }
  });

  it('tells nobody about updates who is not signed in', async () => {
    expect((await fetch(`${shop.url}/updates`)).status).toBe(204);
  });
});
