import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCredentials } from './credentials.ts';

const baseUrl = 'https://shop.example';
const payload = new TextEncoder().encode('{}');
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const apiKey = Buffer.from(pem).toString('base64');
const secretKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

it('signs with a secret key', async () => {
  const headers = await readCredentials({ baseUrl, apiKey, secretKey })(payload);
  expect(headers).toEqual({
    'x-auth-apikey': apiKey,
    'x-auth-signature': expect.stringMatching(/^M[A-Za-z0-9+/]+=*$/),
  });
});

it.each([
  ['on several lines', apiKey.replaceAll(/(.{40})/g, '$1\n')],
  ['with blanks around', `  ${apiKey}\n`],
])('takes an API key %s', async (_form, given) => {
  expect(await readCredentials({ baseUrl, apiKey: given, secretKey })(payload)).toMatchObject({
    'x-auth-apikey': apiKey,
  });
});

it('takes the PEM of an API key', async () => {
  const headers = await readCredentials({ baseUrl, apiKey: pem, secretKey })(payload);
  expect(Buffer.from(headers['x-auth-apikey'] ?? '', 'base64').toString()).toBe(pem.trim());
});

it('lets a signer of the caller sign', async () => {
  const signed: string[] = [];
  const signer = {
    sign: async (bytes: Uint8Array) => {
      signed.push(new TextDecoder().decode(bytes));
      return 'c2lnbmF0dXJl';
    },
  };
  expect(await readCredentials({ baseUrl, apiKey, signer })(payload)).toEqual({
    'x-auth-apikey': apiKey,
    'x-auth-signature': 'c2lnbmF0dXJl',
  });
  expect(signed).toEqual(['{}']);
});

it('sends a token', async () => {
  expect(await readCredentials({ baseUrl, token: ' a.b.c\n' })(payload)).toEqual({
    authorization: 'Bearer a.b.c',
  });
});

it('sends nothing without either', async () => {
  expect(await readCredentials({ baseUrl })(payload)).toEqual({});
});

it('refuses a token that is no header, without showing it', () => {
  expect(() => readCredentials({ baseUrl, token: 'hidden\nx: y' })).toThrow(
    /^token must be printable ASCII without blanks$/,
  );
});

it('asks for the API key of a secret', () => {
  // @ts-expect-error The types ask for it too.
  expect(() => readCredentials({ baseUrl, secretKey })).toThrow('apiKey is missing');
});

it('asks for the secret of an API key', () => {
  // @ts-expect-error The types ask for it too.
  expect(() => readCredentials({ baseUrl, apiKey })).toThrow('secretKey must be a secp256k1 private key');
});
