import { ECDH, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RequestOptions, SignOptions } from './call-options.ts';
import { Keyfront } from './keyfront.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
const secretKey = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
const baseUrl = 'https://shop.example';

const failing = async () => {
  throw new TypeError('fetch failed');
};
const rejecting = async () =>
  Response.json({ success: false, statusCode: 401, message: 'Unauthorized', data: null }, { status: 401 });

describe.each([
  ['secret key', secretKey, { baseUrl, apiKey, secretKey, maxAttempts: 1 }],
  ['token', 'aaaa.bbbb.cccc', { baseUrl, token: 'aaaa.bbbb.cccc', maxAttempts: 1 }],
])('the %s', (_what, secret, options) => {
  it('is not visible in the client', () => {
    const keyfront = new Keyfront(options);
    const seen = inspect(keyfront, { depth: 10, showHidden: true, getters: true }) + JSON.stringify(keyfront);
    expect(seen).not.toContain(secret);
  });

  it.each([
    ['a failed connection', failing],
    ['a rejection', rejecting],
  ])('is not visible in the error of %s', async (_why, fetch) => {
    const error = await new Keyfront({ ...options, fetch }).orders
      .create({ clientId: '7' })
      .catch((each) => each);
    expect(error).toBeInstanceOf(Error);
    const seen = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('x-auth-signature');
  });
});

it('has the URL that it calls', () => {
  expect(new Keyfront({ baseUrl: 'https://shop.example/' }).baseUrl).toBe('https://shop.example/api/v1');
});

describe('options that are invalid', () => {
  it.each([undefined, null, 'https://shop.example', {}])('are an error: %j', (options) => {
    // @ts-expect-error The types exclude it too.
    expect(() => new Keyfront(options)).toThrow(/^baseUrl must be a URL that starts with http/);
  });

  it.each([
    ...[Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY, '5', null].map((value) => ['maxAttempts', value]),
    ...[Number.NaN, 0, -1, 2 ** 31, Number.POSITIVE_INFINITY, '5', null].flatMap((value) => [
      ['timeoutMs', value],
      ['deadlineMs', value],
    ]),
  ])('are an error: %s %s', (name, value) => {
    const rule =
      name === 'maxAttempts' ? 'must be a positive integer' : 'must be a number from 1 to 2147483647';
    expect(() => new Keyfront({ baseUrl, [String(name)]: value })).toThrow(new TypeError(`${name} ${rule}`));
  });

  it.each(['baseMs', 'capMs'])('are an error: backoff.%s', (name) => {
    for (const value of [Number.NaN, -1, 2 ** 31]) {
      expect(() => new Keyfront({ baseUrl, backoff: { [name]: value } })).toThrow(
        new TypeError(`backoff.${name} must be a number from 0 to 2147483647`),
      );
    }
  });

  it('are an error: fetch', () => {
    // @ts-expect-error The types exclude it too.
    expect(() => new Keyfront({ baseUrl, fetch: 'https' })).toThrow(/^fetch must be a function$/);
  });

  it('are not those at a limit', () => {
    const limits = {
      maxAttempts: 1,
      timeoutMs: 1,
      deadlineMs: 2 ** 31 - 1,
      backoff: { baseMs: 0, capMs: 0 },
    };
    expect(() => new Keyfront({ baseUrl, ...limits })).not.toThrow();
  });
});

it('returns everything that it would send, for another HTTP client', async () => {
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });
  const { method, url, headers } = await keyfront.sign('GET', '/dapp/strains', { query: { take: 5 } });
  expect([method, url]).toEqual(['GET', 'https://shop.example/api/v1/dapp/strains?take=5']);
  expect(Object.keys(headers).toSorted()).toEqual(['accept', 'signature', 'signature-input']);
});

describe('sign', () => {
  const formOf = async (keyfront: Keyfront, options?: SignOptions) => {
    const { headers } = await keyfront.sign('GET', '/planets', options);
    return 'signature-input' in headers ? 'bound' : 'simple';
  };

  it('binds, unless the client or the call says otherwise', async () => {
    const auto = new Keyfront({ baseUrl, apiKey, secretKey });
    const simple = new Keyfront({ baseUrl, apiKey, secretKey, signatures: 'simple' });
    expect(await Promise.all([formOf(auto), formOf(simple)])).toEqual(['bound', 'simple']);
    expect(await formOf(auto, { signatures: 'simple' })).toBe('simple');
    expect(await formOf(simple, { signatures: 'bound' })).toBe('bound');
  });

  it('keeps to the simple form where the service has accepted only that', async () => {
    const fetch = async (_url: unknown, init?: RequestInit) =>
      new Headers(init?.headers).has('x-auth-signature')
        ? Response.json({ success: true, statusCode: 200, message: 'Success', data: { planets: [] } })
        : rejecting();
    const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, fetch });
    await keyfront.planets.list();
    expect(await formOf(keyfront)).toBe('simple');
    expect(await formOf(keyfront, { signatures: 'bound' })).toBe('bound');
  });

  it('says why it cannot bind', async () => {
    const signer = { sign: async () => 'c2lnbmF0dXJl' };
    const keyfront = new Keyfront({ baseUrl, apiKey: 'key-7', signer });
    expect(await formOf(keyfront)).toBe('simple');
    await expect(formOf(keyfront, { signatures: 'bound' })).rejects.toThrow(/^signatures: 'bound' needs/);
  });
});

describe('two keys that are not a pair', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const otherKey = other.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each(['auto', 'bound', 'simple'] as const)(
    'are named before a request is sent: %s',
    async (signatures) => {
      let sent = 0;
      const fetch = async () => {
        sent += 1;
        return rejecting();
      };
      const keyfront = new Keyfront({ baseUrl, apiKey, secretKey: otherKey, signatures, fetch });
      const rejection = new TypeError('secretKey does not match apiKey: pass both keys of the same pair');
      await expect(keyfront.planets.list()).rejects.toThrow(rejection);
      await expect(keyfront.orders.create({ clientId: '7' })).rejects.toThrow(rejection);
      await expect(keyfront.sign('GET', '/planets')).rejects.toThrow(rejection);
      expect(sent).toBe(0);
      expect((await keyfront.explain({ method: 'GET', path: '/planets' })).keysMatch).toBe(false);
    },
  );

  it('are accepted if the point of the API key is compressed and the same', async () => {
    const point = Buffer.from(publicKey.export({ type: 'spki', format: 'der' })).subarray(-65);
    const compressed = ECDH.convertKey(point, 'secp256k1', undefined, undefined, 'compressed') as Buffer;
    const spki = Buffer.concat([
      Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex'),
      compressed,
    ]).toString('base64');
    await expect(
      new Keyfront({ baseUrl, apiKey: spki, secretKey }).sign('GET', '/planets'),
    ).resolves.toBeDefined();
    await expect(
      new Keyfront({ baseUrl, apiKey: spki, secretKey: otherKey }).sign('GET', '/planets'),
    ).rejects.toThrow('does not match');
  });
});

describe('request', () => {
  const busy = () => new Response('upstream connect error', { status: 503 });
  const success = () => Response.json({ success: true, statusCode: 200, message: 'Success', data: null });

  it.each<[string, string, object | undefined, boolean, RequestOptions?]>([
    ['GET', '/planets', undefined, true],
    ['PATCH', '/admin/strains/7', { name: 'x' }, true],
    ['PATCH', '/admin/strains/7', { stockChange: 5 }, false],
    ['PATCH', '/a/newer/operation', { name: 'x' }, false],
    // Not every POST takes a key. Whoever chooses one knows that this does.
    ['POST', '/a/newer/operation', { name: 'x' }, false],
    ['POST', '/a/newer/operation', { name: 'x' }, true, { idempotencyKey: 'order 7' }],
    ['POST', '/dapp/sales', { clientId: '7' }, true],
    ['POST', '/dapp/clients/7/medical-record', { reason: 'x' }, false, { idempotencyKey: 'order 7' }],
    ['DELETE', '/a/newer/operation', undefined, true],
  ])('%s %s with the body %j: retried %s', async (method, path, body, isRetried, options = {}) => {
    let attempts = 0;
    const fetch = async () => (++attempts === 1 ? busy() : success());
    const keyfront = new Keyfront({ baseUrl, fetch, runtime: { delay: async () => undefined } });
    const outcome = await keyfront.request(method, path, { ...options, body }).then(
      () => 'done',
      (error) => error.status,
    );
    expect([outcome, attempts]).toEqual(isRetried ? ['done', 2] : [503, 1]);
  });
});

describe('an empty id', () => {
  const keyfront = new Keyfront({ baseUrl, token: 'a.b.c', fetch: failing, maxAttempts: 1 });

  it('does not empty a cart', async () => {
    await expect(keyfront.carts.delete('7', { strainId: '' })).rejects.toThrow('strainId must not be empty');
    // @ts-expect-error Projects without exactOptionalPropertyTypes can pass it.
    await expect(keyfront.carts.delete('7', { strainId: undefined })).rejects.toThrow(
      'strainId must not be empty',
    );
  });

  it('does not update the sale of the digital key itself', async () => {
    await expect(keyfront.sales.update('', { stage: 'CLOSED' })).rejects.toThrow('id must not be empty');
    // @ts-expect-error JavaScript callers can pass it.
    await expect(keyfront.sales.update(undefined, { stage: 'CLOSED' })).rejects.toThrow(
      'id must not be empty',
    );
  });

  it('rejects the promise of the call', async () => {
    await expect(keyfront.clients.get('')).rejects.toThrow('clientId must not be empty');
    await expect(keyfront.sales.history('')).rejects.toThrow('saleId must not be empty');
  });
});

describe('a sign-in with a wallet', () => {
  it('returns a client with the token and the same other options', async () => {
    const sent: unknown[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      const body = init?.body instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(init.body)) : null;
      sent.push([
        String(input).replace(baseUrl, ''),
        body,
        headers.get('authorization'),
        headers.get('x-auth-apikey'),
      ]);
      const data = String(input).endsWith('/nonce') ? { message: 'sign me' } : { token: 'a.b.c' };
      return Response.json({ success: true, statusCode: 201, message: 'Success', data });
    };
    const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, signatures: 'simple', fetch });
    const signedIn = await keyfront.signIn({
      address: '0xabc',
      signMessage: async ({ message }) => `0x${Buffer.from(message).toString('hex')}`,
      admin: true,
      email: 'ada@example.org',
    });
    await signedIn.holder.me();
    const request = { walletAddress: '0xabc', type: 'admin', email: 'ada@example.org' };
    const proof = { message: 'sign me', signature: `0x${Buffer.from('sign me').toString('hex')}` };
    expect(sent).toEqual([
      ['/api/v1/auth/nonce', request, null, apiKey],
      ['/api/v1/auth/signIn', proof, null, apiKey],
      ['/api/v1/dapp/users/me', null, 'Bearer a.b.c', null],
    ]);
  });
});
