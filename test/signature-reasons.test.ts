import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { Keyfront } from '@keyfront/sdk';
import { SimpleVerifier } from '@keyfront/signatures';
import { describe, expect, it } from 'vitest';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
const secretKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const keyfront = new Keyfront({ baseUrl: 'https://shop.example', apiKey, secretKey });
/** Each moment is a second after the one before, so that every mistake is searched for. */
let nowMs = 0;
const verifier = new SimpleVerifier({ now: () => (nowMs += 1_000) });

const signed = (payload: string | Buffer, key: KeyObject = privateKey) =>
  sign('sha256', Buffer.from(payload), key).toString('base64');

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  readonly body: string | null;
}
const get: Request = { method: 'GET', path: '/dapp/strains', query: 'take=5', body: null };
const plainGet: Request = { ...get, query: null };
const post: Request = { method: 'POST', path: '/dapp/orders', query: 'a=1', body: '{"clientId":"42"}' };

/** What the service and the SDK say about a signature. */
async function explain({ method, path, query, body }: Request, signature: string) {
  const verified = verifier.verify({
    apiKeyHeader: apiKey,
    signatureHeader: signature,
    request: { method, query, body: body === null ? null : Buffer.from(body), pathParameters: {} },
    url: () => `https://shop.example/api/v1${path}${query === null ? '' : `?${query}`}`,
  });
  const { signature: verdict } = await keyfront.explain({
    method,
    path: query === null ? path : `${path}?${query}`,
    ...(body === null ? {} : { body }),
    signature,
  });
  const service = verified.ok ? 'valid' : (verified.explain?.() ?? verified).reason;
  return { service, sdk: verdict?.message };
}

const valid = Buffer.from(signed('{}'), 'base64');
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

it.each([
  ['nothing', ''],
  ['an HMAC', createHmac('sha256', 'key').update('{}').digest('base64')],
  ['an HMAC in hex', createHmac('sha256', 'key').update('{}').digest('hex')],
  ['hex', valid.toString('hex')],
  ['several lines', valid.toString('base64').replace(/(.{64})/, '$1\n')],
  ['a stray character', `${valid.toString('base64')}*`],
  ['a long text', 'A'.repeat(2000)],
  ['a part', valid.subarray(0, -3).toString('base64')],
  ['DER with bytes after it', base64('300602010102010200')],
  ['DER with a long integer', base64('300702020001020102')],
  ['DER with a negative integer', base64('3006020181020102')],
  ['DER of zero', base64('3006020100020102')],
  ['Base64 twice', Buffer.from(valid.toString('base64')).toString('base64')],
  [
    'Base64 twice that begins like DER',
    Buffer.from(Buffer.alloc(64, 0xd1).toString('base64')).toString('base64'),
  ],
  ['a PEM', Buffer.from(secretKey).toString('base64')],
  ['a recovery byte', Buffer.alloc(65, 1).toString('base64')],
  ['other bytes', Buffer.alloc(20, 1).toString('base64')],
  ['numbers out of range', Buffer.alloc(64, 255).toString('base64')],
])('the service and the SDK describe a malformed signature alike: %s', async (_what, signature) => {
  const { service, sdk } = await explain(plainGet, signature);
  expect(service).toMatch(/^x-auth-signature (must be|is empty)/);
  expect(sdk).toBe(service);
});

describe('the service and the SDK name the same mistake', () => {
  const digest = createHash('sha256').update('{}').digest();

  it.each<[string, Request, string]>([
    ['the empty string', plainGet, signed('')],
    ['{} instead of the query', get, signed('{}')],
    ['{} instead of the body', post, signed('{}')],
    ['the question mark', get, signed('?take=5')],
    ['the query of a POST', post, signed('a=1')],
    ['a line break', post, signed(`${post.body}\n`)],
    ['a line break after {}', plainGet, signed('{}\n')],
    ['the path', get, signed('/dapp/strains?take=5')],
    ['the decoded query', { ...get, query: 'search=a%2Cb' }, signed('search=a,b')],
    ['the query in another order', { ...get, query: 'take=5&page=1' }, signed('page=1&take=5')],
    ['JSON with white space', post, signed('{"clientId": "42"}')],
    ['the hash', plainGet, signed(digest)],
    ['the hash in hex', plainGet, signed(digest.toString('hex'))],
  ])('%s', async (_what, request, signature) => {
    const { service, sdk } = await explain(request, signature);
    const [start, hint] = [/^[^:]+/.exec(service)?.[0], service.split('; ').at(-1)];
    expect(start).toBe('x-auth-signature does not match the payload of this request');
    expect(sdk).toBe(`${start}: ${hint}`);
  });
});
