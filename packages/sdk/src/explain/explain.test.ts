import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
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
const judge = async (request: RequestToExplain, signature: string, given: KeyfrontOptions = options) =>
  (await explain(given, { ...request, signature })).signature;

describe('what is signed', () => {
  it('is shown as text, in hex and as its hash', async () => {
    const text = 'search=lunar%20saffron&take=5';
    expect(await explain(options, get)).toEqual({
      url: `https://shop.example/api/v1/dapp/strains?${text}`,
      rule: 'GET: the query as it stands in the address, without the ?',
      payload: new TextEncoder().encode(text),
      text,
      hex: Buffer.from(text).toString('hex'),
      sha256: createHash('sha256').update(text).digest('hex'),
      keysMatch: true,
      signature: null,
    });
  });

  it.each<[RequestToExplain, string, string]>([
    [plainGet, '{}', 'GET without a query: the two characters {}'],
    [{ method: 'post', path: '/dapp/orders' }, '{}', 'POST without a body: the two characters {}'],
    [post, '{"clientId":"42","notes":["a","b"]}', 'POST: the bytes of the body'],
  ])('is explained by its rule, number %#', async (request, text, rule) => {
    expect(await explain(options, request)).toMatchObject({ text, rule });
  });
});

describe('the two keys', () => {
  it('are compared', async () => {
    expect((await explain({ ...options, secretKey: pemOf(makeKey().privateKey) }, plainGet)).keysMatch).toBe(
      false,
    );
  });

  it('are not compared where one is not here', async () => {
    expect((await explain({ baseUrl: options.baseUrl }, plainGet)).keysMatch).toBeNull();
    expect((await explain({ ...options, apiKey: 'bm9uZQ==' }, plainGet)).keysMatch).toBeNull();
  });
});

describe('a signature that is right', () => {
  it.each([
    ['in DER', signed('{}')],
    [
      'as 64 bytes',
      sign('sha256', Buffer.from('{}'), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
    ],
    ['in base64url', Buffer.from(signed('{}'), 'base64').toString('base64url')],
    ['with quotes', `"${signed('{}')}"`],
  ])('%s', async (_form, signature) => {
    expect(await judge(plainGet, signature)).toEqual({ isValid: true, sentence: 'The signature is right' });
  });

  it('may cover another spelling that the service accepts', async () => {
    expect(await judge(get, signed('search=lunar+saffron&take=5'))).toMatchObject({ isValid: true });
  });
});

describe('a signature that is wrong', () => {
  const digest = createHash('sha256').update('{}').digest();
  const compact = '{"clientId":"42","notes":["a","b"]}';

  it.each<[string, RequestToExplain, string, RegExp]>([
    ['the empty string', plainGet, signed(''), /covers the empty string/],
    ['{} though there is a query', get, signed('{}'), /covers {} although the request has a query/],
    ['{} though there is a body', post, signed('{}'), /covers {} although the request has a body/],
    [
      'pretty JSON',
      post,
      signed(JSON.stringify(JSON.parse(compact), null, 2)),
      /the same JSON in other blanks/,
    ],
    [
      'JSON with tabs',
      post,
      signed(JSON.stringify(JSON.parse(compact), null, '\t')),
      /the same JSON in other blanks/,
    ],
    [
      'JSON of Python',
      post,
      signed('{"clientId": "42", "notes": ["a", "b"]}'),
      /the same JSON in other blanks/,
    ],
    ['a line end', post, signed(`${compact}\n`), /with a line end after it/],
    [
      'the body of a GET',
      { ...get, body: '{"a":1}' },
      signed('{"a":1}'),
      /of this method the query is signed/,
    ],
    ['the query of a POST', post, signed('a=1'), /of this method the body is signed/],
    ['the question mark', get, signed('?search=lunar%20saffron&take=5'), /another spelling of the query/],
    ['the decoded query', get, signed('search=lunar saffron&take=5'), /another spelling of the query/],
    [
      'the query as JSON',
      get,
      signed('{"search":"lunar saffron","take":"5"}'),
      /another spelling of the query/,
    ],
    ['the path', plainGet, signed('/api/v1/planets'), /the address, which is not part/],
    [
      'the whole address',
      plainGet,
      signed('https://shop.example/api/v1/planets'),
      /the address, which is not part/,
    ],
    ['the hash', plainGet, signed(digest), /the hash of the payload: the library hashes/],
    ['the hash in hex', plainGet, signed(digest.toString('hex')), /the hash of the payload in hex/],
    ['something else', plainGet, signed('something else'), /Another key made the signature/],
    ['another key', plainGet, signed('{}', makeKey().privateKey), /Another key made the signature/],
    ['nothing', plainGet, '', /it is empty/],
    ['an HMAC', plainGet, createHmac('sha256', 'key').update('{}').digest('base64'), /32 bytes are an HMAC/],
    [
      'an HMAC in hex',
      plainGet,
      createHmac('sha256', 'key').update('{}').digest('hex'),
      /32 bytes are an HMAC/,
    ],
    ['hex', plainGet, Buffer.from(signed('{}'), 'base64').toString('hex'), /it is hex/],
    ['several lines', plainGet, signed('{}').replace(/(.{64})/, '$1\n'), /on one line/],
    ['a stray character', plainGet, `${signed('{}')}*`, /not Base64/],
    [
      'a part',
      plainGet,
      Buffer.from(signed('{}'), 'base64').subarray(0, -3).toString('base64'),
      /damaged or cut off/,
    ],
    ['Base64 twice', plainGet, Buffer.from(signed('{}')).toString('base64'), /twice/],
    ['a recovery byte', plainGet, Buffer.alloc(65, 1).toString('base64'), /recovery byte/],
    ['other bytes', plainGet, Buffer.alloc(20, 1).toString('base64'), /20 bytes of something else/],
    [
      'numbers out of range',
      plainGet,
      Buffer.alloc(64, 255).toString('base64'),
      /Another key made the signature/,
    ],
  ])('%s', async (_what, request, signature, sentence) => {
    const verdict = await judge(request, signature);
    expect(verdict?.isValid).toBe(false);
    expect(verdict?.sentence).toMatch(sentence);
  });

  it('is that of a secret key which does not belong to the API key', async () => {
    const other = makeKey().privateKey;
    const verdict = await judge(plainGet, signed('{}', other), { ...options, secretKey: pemOf(other) });
    expect(verdict?.sentence).toContain('does not belong to the apiKey');
  });

  it('cannot be told without an API key', async () => {
    expect((await judge(plainGet, signed('{}'), { baseUrl: options.baseUrl }))?.sentence).toContain(
      'Without a readable apiKey',
    );
  });
});
