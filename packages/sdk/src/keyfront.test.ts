import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Keyfront } from './keyfront.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
const secretKey = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
const baseUrl = 'https://shop.example';

const failing = async () => {
  throw new TypeError('fetch failed');
};
const refusing = async () =>
  Response.json({ success: false, statusCode: 401, message: 'Unauthorized', data: null }, { status: 401 });

describe.each([
  ['secret key', secretKey, { baseUrl, apiKey, secretKey, maxAttempts: 1 }],
  ['token', 'aaaa.bbbb.cccc', { baseUrl, token: 'aaaa.bbbb.cccc', maxAttempts: 1 }],
])('the %s', (_what, secret, options) => {
  it('is not seen in the client', () => {
    const keyfront = new Keyfront(options);
    const seen = inspect(keyfront, { depth: 10, showHidden: true, getters: true }) + JSON.stringify(keyfront);
    expect(seen).not.toContain(secret);
  });

  it.each([
    ['a lost connection', failing],
    ['a refusal', refusing],
  ])('is not seen in the error of %s', async (_why, fetch) => {
    const error = await new Keyfront({ ...options, fetch }).orders
      .create({ clientId: '7' })
      .catch((each) => each);
    expect(error).toBeInstanceOf(Error);
    const seen = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('x-auth-signature');
  });
});

it('gives the address it calls', () => {
  expect(new Keyfront({ baseUrl: 'https://shop.example/' }).baseUrl).toBe('https://shop.example/api/v1');
});

it('shows all that it would send, for another HTTP client', async () => {
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });
  const { method, url, headers } = await keyfront.sign('GET', '/dapp/strains', { query: { take: 5 } });
  expect([method, url]).toEqual(['GET', 'https://shop.example/api/v1/dapp/strains?take=5']);
  expect(Object.keys(headers).toSorted()).toEqual(['accept', 'x-auth-apikey', 'x-auth-signature']);
});

describe('what would do something else by mistake', () => {
  const keyfront = new Keyfront({ baseUrl, token: 'a.b.c', fetch: failing, maxAttempts: 1 });

  it('does not empty a cart for a strain that is not there', async () => {
    await expect(keyfront.carts.delete('7', { strainId: '' })).rejects.toThrow('strainId must not be empty');
    // @ts-expect-error Programs with looser types hand it in.
    await expect(keyfront.carts.delete('7', { strainId: undefined })).rejects.toThrow(
      'strainId must not be empty',
    );
  });

  it('does not change the own sale for an id that is not there', async () => {
    await expect(keyfront.sales.update('', { stage: 'CLOSED' })).rejects.toThrow('The id must not be empty');
  });

  it('rejects for an id that is empty, and does not throw', async () => {
    await expect(keyfront.clients.get('')).rejects.toThrow('The id must not be empty');
  });
});

describe('the sign-in of a wallet', () => {
  it('takes both steps and gives a client with the token, and with the other options', async () => {
    const asked: unknown[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      const body = init?.body instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(init.body)) : null;
      asked.push([
        String(input).replace(baseUrl, ''),
        body,
        headers.get('authorization'),
        headers.get('x-auth-apikey'),
      ]);
      const data = String(input).endsWith('/nonce') ? { message: 'sign me' } : { token: 'a.b.c' };
      return Response.json({ success: true, statusCode: 201, message: 'Success', data });
    };
    const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, fetch });
    const signedIn = await keyfront.signIn({
      address: '0xabc',
      signMessage: async ({ message }) => `0x${Buffer.from(message).toString('hex')}`,
      admin: true,
      email: 'ada@example.org',
    });
    await signedIn.holder.me();
    const request = { walletAddress: '0xabc', type: 'admin', email: 'ada@example.org' };
    const handedIn = { message: 'sign me', signature: `0x${Buffer.from('sign me').toString('hex')}` };
    expect(asked).toEqual([
      ['/api/v1/auth/nonce', request, null, apiKey],
      ['/api/v1/auth/signIn', handedIn, null, apiKey],
      ['/api/v1/dapp/users/me', null, 'Bearer a.b.c', null],
    ]);
  });
});
