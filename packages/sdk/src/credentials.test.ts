import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCredentials } from './credentials.ts';
import type { KeyfrontOptions } from './options.ts';
import { prepareRequest } from './requests/prepare-request.ts';

const baseUrl = 'https://shop.example';
const request = prepareRequest(`${baseUrl}/api/v1`, { method: 'GET', path: '/planets' });
const simple = (options: KeyfrontOptions) => readCredentials(options).authenticate(request, 'simple');
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const apiKey = Buffer.from(pem).toString('base64');
const secretKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

it('signs with a secret key', async () => {
  const headers = await simple({ baseUrl, apiKey, secretKey });
  expect(headers).toEqual({
    'x-auth-apikey': apiKey,
    'x-auth-signature': expect.stringMatching(/^M[A-Za-z0-9+/]+=*$/),
  });
});

it.each([
  ['on several lines', apiKey.replaceAll(/(.{40})/g, '$1\n')],
  ['with surrounding white space', `  ${apiKey}\n`],
])('accepts an API key %s', async (_form, given) => {
  expect(await simple({ baseUrl, apiKey: given, secretKey })).toMatchObject({
    'x-auth-apikey': apiKey,
  });
});

it('accepts an API key as PEM', async () => {
  const headers = await simple({ baseUrl, apiKey: pem, secretKey });
  expect(Buffer.from(headers['x-auth-apikey'] ?? '', 'base64').toString()).toBe(pem.trim());
});

it('signs with the signer of the caller', async () => {
  const signed: string[] = [];
  const signer = {
    sign: async (bytes: Uint8Array) => {
      signed.push(new TextDecoder().decode(bytes));
      return 'c2lnbmF0dXJl';
    },
  };
  expect(await simple({ baseUrl, apiKey, signer })).toEqual({
    'x-auth-apikey': apiKey,
    'x-auth-signature': 'c2lnbmF0dXJl',
  });
  expect(signed).toEqual(['{}']);
});

it('sends a token', async () => {
  expect(await simple({ baseUrl, token: ' a.b.c\n' })).toEqual({
    authorization: 'Bearer a.b.c',
  });
});

it('sends no credentials if the options have none', async () => {
  expect(await simple({ baseUrl })).toEqual({});
});

describe('rejects', () => {
  it('credentials that are present but undefined, and names them', () => {
    expect(() => readCredentials({ baseUrl, apiKey: undefined, secretKey: undefined })).toThrow(
      /^apiKey and secretKey are undefined: check where they come from, such as an environment variable/,
    );
    expect(() => readCredentials({ baseUrl, apiKey, secretKey: undefined })).toThrow(
      /^secretKey is undefined: check where it comes from, such as an environment variable/,
    );
    expect(() => readCredentials({ baseUrl, token: undefined })).toThrow(/^token is undefined/);
    expect(() => readCredentials({ baseUrl, apiKey, signer: undefined })).toThrow(/^signer is undefined/);
    expect(() => readCredentials({ baseUrl, apiKey: undefined, secretKey: undefined })).toThrow(TypeError);
  });

  it('credentials that are null', () => {
    // @ts-expect-error A database column that is not set.
    expect(() => readCredentials({ baseUrl, apiKey: null, secretKey: null })).toThrow(
      /^apiKey and secretKey are null: check where they come from/,
    );
    // @ts-expect-error A database column that is not set.
    expect(() => readCredentials({ baseUrl, token: null })).toThrow(
      /^token is null: check where it comes from/,
    );
  });

  it('credentials of another type, without quoting them', () => {
    // @ts-expect-error The types exclude it too.
    expect(() => readCredentials({ baseUrl, apiKey: 42, secretKey })).toThrow(/^apiKey must be a string$/);
    // @ts-expect-error The types exclude it too.
    expect(() => readCredentials({ baseUrl, token: { a: 1 } })).toThrow(/^token must be a string$/);
  });

  it.each([{}, 'key', { sign: 'MEUC' }])('a signer without a function sign: %j', (signer) => {
    // @ts-expect-error The types exclude it too.
    expect(() => readCredentials({ baseUrl, apiKey, signer })).toThrow(
      /^signer must be an object with a function sign$/,
    );
  });

  it('a signature that is not a string', async () => {
    const sign = async () => Buffer.from('signature');
    // @ts-expect-error The types exclude it too.
    await expect(simple({ baseUrl, apiKey, signer: { sign } })).rejects.toThrow(
      /^The signature of the signer must be a string: encode it in Base64$/,
    );
  });

  it.each(['', '  '])('an empty credential (%j)', (empty) => {
    expect(() => readCredentials({ baseUrl, token: empty })).toThrow(/^token must not be empty$/);
    expect(() => readCredentials({ baseUrl, apiKey: empty, secretKey })).toThrow(
      /^apiKey must not be empty$/,
    );
  });

  it('a token that cannot be a header, without quoting it', () => {
    expect(() => readCredentials({ baseUrl, token: 'hidden\nx: y' })).toThrow(
      /^token must consist of printable ASCII characters without spaces$/,
    );
  });

  it('a secret key without an API key', () => {
    // @ts-expect-error The types require it too.
    expect(() => readCredentials({ baseUrl, secretKey })).toThrow('apiKey is missing');
  });

  it('an API key without a secret key', () => {
    // @ts-expect-error The types require it too.
    expect(() => readCredentials({ baseUrl, apiKey })).toThrow('secretKey is missing');
  });

  it('an API key together with a token', () => {
    // @ts-expect-error The types exclude it too.
    expect(() => readCredentials({ baseUrl, apiKey, secretKey, token: 'a.b.c' })).toThrow(
      'apiKey and token exclude each other',
    );
  });
});
