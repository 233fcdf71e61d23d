import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { signatureErrorCodes } from '@keyfront/protocol';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { makeOpensslKey, signWithOpenssl } from './support/openssl.ts';
import { testOperation } from './support/test-operation.ts';

let service: GuardedApp;
beforeAll(async () => {
  service = await startGuardedApp((router) => {
    const things = { path: '/test/things', response: Type.Null() } as const;
    router.add(testOperation({ ...things, method: 'GET', id: 'getThings' }), () => null);
    const body = Type.Object({ name: Type.String(), more: Type.Optional(Type.Unknown()) });
    router.add(testOperation({ ...things, method: 'POST', id: 'postThings', body }), () => null);
  });
});
afterAll(() => service.close());

/** A key of its own for each request: the service searches for the mistakes of a key once a second. */
function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return {
    apiKey: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
    privateKey,
  };
}

interface Mistake {
  readonly query?: string;
  readonly body?: string;
  readonly payload?: string;
  readonly hash?: string;
  /** Replaces headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

async function make({ query, body, payload = 'x', hash = 'sha256', headers = {} }: Mistake) {
  const { apiKey, privateKey } = newKey();
  const signature = sign(hash, Buffer.from(payload), privateKey).toString('base64');
  const all = Object.entries({
    'content-type': 'application/json',
    'x-auth-apikey': apiKey,
    'x-auth-signature': signature,
    ...headers,
  });
  const response = await fetch(`${service.base}/test/things${query === undefined ? '' : `?${query}`}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: all.filter((header): header is [string, string] => header[1] !== null),
    ...(body === undefined ? {} : { body }),
  });
  const envelope = (await response.json()) as { code: string; reason: string };
  const challenge = response.headers.get('www-authenticate') ?? '';
  return { status: response.status, envelope, challenge };
}

const body = '{"name":"Ada","more":[1,{"b":2,"a":null}]}';
const query = 'search=lunar%20saffron%2C1&take=5';
const hmac = createHmac('sha256', 'secret').update('{}').digest();

const mistakes: readonly [code: string, what: string, mistake: Mistake][] = [
  ['CREDENTIALS_MISSING', 'neither header', { headers: { 'x-auth-apikey': null, 'x-auth-signature': null } }],
  ['CREDENTIALS_MISSING', 'no key', { headers: { 'x-auth-apikey': null } }],
  ['CREDENTIALS_MISSING', 'no signature', { headers: { 'x-auth-signature': null } }],
  ['API_KEY_MALFORMED', 'a key that is none', { headers: { 'x-auth-apikey': 'none' } }],
  ['API_KEY_MALFORMED', 'an empty key', { headers: { 'x-auth-apikey': '' } }],
  ['SIGNATURE_MALFORMED', 'a signature in hex', { headers: { 'x-auth-signature': 'ab'.repeat(70) } }],
  ['SIGNATURE_MALFORMED', 'other bytes', { headers: { 'x-auth-signature': 'AAAA' } }],
  ['SIGNATURE_IS_HMAC', 'an HMAC', { headers: { 'x-auth-signature': hmac.toString('base64') } }],
  ['SIGNATURE_IS_HMAC', 'an HMAC in hex', { headers: { 'x-auth-signature': hmac.toString('hex') } }],
  ['SIGNED_EMPTY_STRING', 'a GET', { payload: '' }],
  ['SIGNED_EMPTY_STRING', 'a GET with a query', { query, payload: '' }],
  ['SIGNED_EMPTY_STRING', 'a POST', { body, payload: '' }],
  ['SIGNED_BRACES_OVER_QUERY', '{}', { query, payload: '{}' }],
  ['SIGNED_PATH', 'the path', { payload: '/api/v1/test/things' }],
  ['SIGNED_PATH', 'the path without the version', { payload: '/test/things' }],
  ['SIGNED_PATH', 'the path with its query', { query, payload: `/api/v1/test/things?${query}` }],
  ['SIGNED_PATH', 'the path of a POST', { body, payload: '/api/v1/test/things' }],
  ['SIGNED_DECODED_QUERY', 'decoded', { query, payload: 'search=lunar saffron,1&take=5' }],
  ['SIGNED_DECODED_QUERY', 'decoded with plus', { query: 'search=a+b', payload: 'search=a b' }],
  ['SIGNED_REORDERED_QUERY', 'sorted', { query: 'take=5&page=1', payload: 'page=1&take=5' }],
  ['SIGNED_REORDERED_QUERY', 'not sorted', { query: 'page=1&take=5', payload: 'take=5&page=1' }],
  ['SIGNED_REORDERED_QUERY', 'many, sorted', { query: 'd=4&b=2&c=3&a=1', payload: 'a=1&b=2&c=3&d=4' }],
  ['SIGNED_OTHER_JSON', 'indented', { body, payload: JSON.stringify(JSON.parse(body), null, 2) }],
  [
    'SIGNED_OTHER_JSON',
    'with blanks',
    { body, payload: '{"name": "Ada", "more": [1, {"b": 2, "a": null}]}' },
  ],
  ['SIGNED_OTHER_JSON', 'reordered', { body, payload: '{"more":[1,{"b":2,"a":null}],"name":"Ada"}' }],
  ['SIGNED_OTHER_JSON', 'sorted', { body, payload: '{"more":[1,{"a":null,"b":2}],"name":"Ada"}' }],
  ['SIGNED_OTHER_JSON', 'null', { body, payload: 'null' }],
  ['SIGNED_OTHER_JSON', 'undefined', { body, payload: 'undefined' }],
  ['SIGNED_OTHER_JSON', 'undefined of a GET', { payload: 'undefined' }],
  ['SIGNED_OTHER_JSON', '{}', { body, payload: '{}' }],
  ['SIGNED_OTHER_HASH', 'SHA-1', { body, payload: body, hash: 'sha1' }],
  ['SIGNED_OTHER_HASH', 'SHA-384', { query, payload: query, hash: 'sha384' }],
  ['SIGNED_OTHER_HASH', 'SHA-512', { payload: '{}', hash: 'sha512' }],
  ['SIGNATURE_INVALID', 'another body', { body, payload: '{"name":"Adb"}' }],
  ['SIGNATURE_INVALID', 'another query', { query, payload: 'take=6' }],
];

describe('a 401 explains itself', () => {
  it.each(mistakes)('%s: %s', async (code, _what, mistake) => {
    const { status, envelope, challenge } = await make(mistake);
    expect(status).toBe(401);
    expect(envelope).toEqual({
      success: false,
      statusCode: 401,
      code,
      message: 'User is not authorized',
      reason: expect.stringMatching(/^x-auth-(apikey|signature) /),
      data: null,
    });
    // The same sentence as in the header.
    expect(challenge).toContain(`error_description="${envelope.reason.replaceAll(/["\\]/g, '\\$&')}"`);
  });

  it('SIGNED_PATH: the whole URL', async () => {
    for (const text of [service.base, service.origin]) {
      const { envelope } = await make({ query, payload: `${text}/test/things?${query}` });
      expect(envelope.code).toBe('SIGNED_PATH');
    }
  });

  it('in every way that a signature can be wrong', () => {
    const made = new Set(mistakes.map(([code]) => code));
    expect(signatureErrorCodes.filter((code) => !made.has(code))).toEqual([]);
  });

  it('with openssl as well', async () => {
    const key = makeOpensslKey(service.folder, 'mistaken');
    const headers = { 'x-auth-apikey': key.apiKey, 'x-auth-signature': signWithOpenssl(key, '') };
    expect((await make({ headers })).envelope.code).toBe('SIGNED_EMPTY_STRING');
  });

  it('and searches for the mistakes of a key once a second', async () => {
    const key = makeOpensslKey(service.folder, 'hasty');
    const headers = { 'x-auth-apikey': key.apiKey, 'x-auth-signature': signWithOpenssl(key, '') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => make({ headers })));
    const codes = answers.map(({ envelope }) => envelope.code);
    expect(codes).toContain('SIGNED_EMPTY_STRING');
    expect(codes).toContain('SIGNATURE_INVALID');
  });
});
