import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type BoundOptions,
  fingerprintOf,
  type RequestToBind,
  signBound,
} from '../../../../test/support/sign-bound.ts';
import type { KeyfrontOptions } from '../options.ts';
import { explain, type RequestToExplain } from './explain.ts';

const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const { publicKey, privateKey } = makeKey();
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const options = {
  baseUrl: 'https://shop.example',
  apiKey: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
  secretKey: pemOf(privateKey),
};

const get: RequestToExplain = {
  method: 'GET',
  path: '/dapp/strains',
  query: { search: 'lunar saffron', take: 5 },
};
const plainGet: RequestToExplain = { method: 'GET', path: '/planets' };
const post: RequestToExplain = {
  method: 'POST',
  path: '/dapp/orders',
  query: { a: 1 },
  body: { clientId: '42', notes: ['a', 'b'] },
};

const signed = (payload: string | Buffer, key = privateKey) =>
  sign('sha256', Buffer.from(payload), key).toString('base64');
const check = async (request: RequestToExplain, signature: string, given: KeyfrontOptions = options) =>
  (await explain(given, { ...request, signature })).signature;

describe('the payload', () => {
  it('is shown as text, in hexadecimal and as its hash', async () => {
    const text = 'search=lunar%20saffron&take=5';
    expect(await explain(options, get)).toEqual({
      url: `https://shop.example/api/v1/dapp/strains?${text}`,
      rule: 'GET: the query exactly as in the URL, without the ?',
      payload: new TextEncoder().encode(text),
      text,
      hex: Buffer.from(text).toString('hex'),
      sha256: createHash('sha256').update(text).digest('hex'),
      bound: expect.stringMatching(
        /^"@method": GET\n"@target-uri": https:\/\/shop\.example\/api\/v1\/dapp\/strains\?search=lunar%20saffron&take=5\n"@signature-params": \("@method" "@target-uri"\);created=\d+;keyid="[0-9a-f]{64}"$/,
      ),
      keysMatch: true,
      signature: null,
    });
  });

  it.each<[RequestToExplain, string, string]>([
    [plainGet, '{}', 'GET without a query: the two characters {}'],
    [{ method: 'post', path: '/dapp/orders' }, '{}', 'POST without a body: the two characters {}'],
    [post, '{"clientId":"42","notes":["a","b"]}', 'POST: the bytes of the body'],
  ])('follows from a rule: %#', async (request, text, rule) => {
    expect(await explain(options, request)).toMatchObject({ text, rule });
  });
});

describe('the two keys', () => {
  it('are compared', async () => {
    expect((await explain({ ...options, secretKey: pemOf(makeKey().privateKey) }, plainGet)).keysMatch).toBe(
      false,
    );
  });

  it('are not compared if one of them is unknown', async () => {
    expect((await explain({ baseUrl: options.baseUrl }, plainGet)).keysMatch).toBeNull();
    expect((await explain({ ...options, apiKey: 'bm9uZQ==' }, plainGet)).keysMatch).toBeNull();
  });
});

describe('a valid signature', () => {
  it.each([
    ['in DER', signed('{}')],
    [
      'as 64 bytes',
      sign('sha256', Buffer.from('{}'), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
    ],
    ['in base64url', Buffer.from(signed('{}'), 'base64').toString('base64url')],
    ['with quotes', `"${signed('{}')}"`],
  ])('%s', async (_form, signature) => {
    expect(await check(plainGet, signature)).toEqual({ isValid: true, message: 'The signature is valid' });
  });

  it('may cover another encoding that the service accepts', async () => {
    expect(await check(get, signed('search=lunar+saffron&take=5'))).toMatchObject({ isValid: true });
    expect(await check(get, signed('{"search":"lunar saffron","take":"5"}'))).toMatchObject({
      isValid: true,
    });
  });
});

describe('an invalid signature', () => {
  const digest = createHash('sha256').update('{}').digest();
  const compact = '{"clientId":"42","notes":["a","b"]}';

  it.each<[string, RequestToExplain, string, RegExp]>([
    ['the empty string', plainGet, signed(''), /: the empty string was signed instead$/],
    ['{} although there is a query', get, signed('{}'), /{} was signed, .+ without a query$/],
    ['{} although there is a body', post, signed('{}'), /{} was signed, .+ without a body$/],
    [
      'pretty JSON',
      post,
      signed(JSON.stringify(JSON.parse(compact), null, 2)),
      /other JSON than that of the body/,
    ],
    [
      'JSON with tabs',
      post,
      signed(JSON.stringify(JSON.parse(compact), null, '\t')),
      /other JSON than that of the body/,
    ],
    [
      'JSON as Python writes it',
      post,
      signed('{"clientId": "42", "notes": ["a", "b"]}'),
      /other JSON than that of the body/,
    ],
    ['a line break', post, signed(`${compact}\n`), /with a trailing line break$/],
    [
      'the body of a GET',
      { ...get, body: '{"a":1}' },
      signed('{"a":1}'),
      /for this method the query must be signed$/,
    ],
    ['the query of a POST', post, signed('a=1'), /for this method the body must be signed$/],
    ['the question mark', get, signed('?search=lunar%20saffron&take=5'), /with its question mark$/],
    ['the decoded query', get, signed('search=lunar saffron&take=5'), /the query was signed decoded/],
    [
      'the query as JSON with numbers',
      get,
      signed('{"search":"lunar saffron","take":5}'),
      /the query was signed as JSON with numbers/,
    ],
    ['the path', plainGet, signed('/api/v1/planets'), /the path or the URL was signed/],
    [
      'the whole URL',
      plainGet,
      signed('https://shop.example/api/v1/planets'),
      /the path or the URL was signed/,
    ],
    ['the hash', plainGet, signed(digest), /its SHA-256 was signed, so it was hashed twice$/],
    ['the hash in hexadecimal', plainGet, signed(digest.toString('hex')), /its SHA-256 in hex was signed/],
    ['something else', plainGet, signed('something else'), /made with another key or covers other bytes/],
    [
      'another key',
      plainGet,
      signed('{}', makeKey().privateKey),
      /made with another key or covers other bytes/,
    ],
    ['nothing', plainGet, '', /^x-auth-signature is empty$/],
    [
      'an HMAC',
      plainGet,
      createHmac('sha256', 'key').update('{}').digest('base64'),
      /its 32 bytes look like an HMAC/,
    ],
    [
      'an HMAC in hexadecimal',
      plainGet,
      createHmac('sha256', 'key').update('{}').digest('hex'),
      /its 32 bytes look like an HMAC/,
    ],
    ['hexadecimal', plainGet, Buffer.from(signed('{}'), 'base64').toString('hex'), /it is hex$/],
    ['several lines', plainGet, signed('{}').replace(/(.{64})/, '$1\n'), /it is not Base64$/],
    ['a stray character', plainGet, `${signed('{}')}*`, /not Base64/],
    [
      'a part',
      plainGet,
      Buffer.from(signed('{}'), 'base64').subarray(0, -3).toString('base64'),
      /must be strict DER: it is damaged$/,
    ],
    ['Base64 twice', plainGet, Buffer.from(signed('{}')).toString('base64'), /twice/],
    ['a recovery byte', plainGet, Buffer.alloc(65, 1).toString('base64'), /recovery byte/],
    [
      'other bytes',
      plainGet,
      Buffer.alloc(20, 1).toString('base64'),
      /it contains 20 bytes of something else$/,
    ],
    ['numbers out of range', plainGet, Buffer.alloc(64, 255).toString('base64'), /r or s is out of range$/],
  ])('%s', async (_what, request, signature, message) => {
    const verdict = await check(request, signature);
    expect(verdict?.isValid).toBe(false);
    expect(verdict?.message).toMatch(message);
  });

  it('may come from a secret key that does not belong to the API key', async () => {
    const other = makeKey().privateKey;
    const verdict = await check(plainGet, signed('{}', other), { ...options, secretKey: pemOf(other) });
    expect(verdict?.message).toContain('does not belong to the apiKey');
  });

  it('cannot be checked without an API key', async () => {
    expect((await check(plainGet, signed('{}'), { baseUrl: options.baseUrl }))?.message).toContain(
      'without a readable apiKey',
    );
  });
});

describe('a bound signature', () => {
  const url = 'https://shop.example/api/v1/dapp/orders?a=1';
  const bind = (
    request: Partial<RequestToBind> = {},
    options: BoundOptions = {},
    key = privateKey,
  ): Record<string, string> =>
    signBound(key, { method: 'POST', url, body: JSON.stringify(post.body), ...request }, options);
  const checkBound = async (signed: Record<string, string>) =>
    (
      await explain(options, {
        ...post,
        signature: signed.signature ?? '',
        signatureInput: signed['signature-input'] ?? '',
      })
    ).signature;

  it('is recognized', async () => {
    expect(await checkBound(bind())).toEqual({ isValid: true, message: 'The signature is valid' });
    const components = ['@authority', '@method', '@path', '@query', 'content-digest'];
    expect(await checkBound(bind({}, { components, label: 'other' }))).toMatchObject({ isValid: true });
  });

  it('needs its Signature-Input', async () => {
    const { signature } = await explain(options, { ...post, signature: bind().signature ?? '' });
    expect(signature).toEqual({
      isValid: false,
      message: 'The signature is bound: pass the header Signature-Input as signatureInput',
    });
  });

  const fingerprint = fingerprintOf(privateKey);
  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'the scheme',
      () => bind({ url: url.replace('https', 'http') }),
      /with http:\/\/ in place of https:\/\/$/,
    ],
    ['no query', () => bind({ url: url.replace('?a=1', '') }), /without its query$/],
    ['no prefix', () => bind({ url: url.replace('/api/v1', '') }), /without \/api\/v1$/],
    ['another body', () => bind({ body: '{}' }), /another key or covers another text/],
    ['another method', () => bind({ method: 'PUT' }), /another key or covers another text/],
    ['another key', () => bind({}, { keyid: fingerprint }, makeKey().privateKey), /another key or covers/],
    [
      'the key id of another key',
      () => bind({}, { keyid: 'ab'.repeat(32) }),
      /^keyid is not the SHA-256 of the apiKey/,
    ],
    ['an old time', () => bind({}, { created: 1_700_000_000 }), /^created is \d+ seconds ago by the clock/],
    [
      'a later time',
      () => bind({}, { created: 3_000_000_000 }),
      /^created is \d+ seconds ahead by the clock/,
    ],
    ['no nonce', () => bind({}, { nonce: null }), /must have a nonce, because a POST may change something$/],
    ['no method', () => bind({}, { components: ['@target-uri', 'content-digest'] }), /must cover "@method"$/],
    [
      'no address',
      () => bind({}, { components: ['@method', '@path', 'content-digest'] }),
      /must cover "@target-uri"/,
    ],
    ['no digest', () => bind({}, { components: ['@method', '@target-uri'] }), /must cover "content-digest"/],
    ['DER', () => bind({}, { dsaEncoding: 'der' }), /64 bytes of r and s: it is DER$/],
    ['another label', () => ({ ...bind(), signature: 'x=:AA==:' }), /^Signature must have the form sig1=/],
    ['nothing', () => ({}), /^Signature-Input must have the form/],
  ])('shows what is wrong: %s', async (_what, make, message) => {
    const verdict = await checkBound(make());
    expect(verdict?.isValid).toBe(false);
    expect(verdict?.message).toMatch(message);
  });
});
