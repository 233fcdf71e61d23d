import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { RequestToSign } from '@keyfront/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCountingVerifier } from '../../../../test/support/counting-verifier.ts';
import { verifyWithNodeCrypto } from '../ecdsa/verifiers.ts';
import { SimpleVerifier } from './simple-verifier.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const apiKeyHeader = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })).toString('base64');
const hashOfEmptyObject = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
const get: RequestToSign = { method: 'GET', query: null, body: null };
const getWithQuery: RequestToSign = { method: 'GET', query: 'page=1', body: null };

let requests: SimpleVerifier;
let countVerifications: () => number;
let nowMs = 0;

beforeEach(() => {
  const { verifier, count } = createCountingVerifier();
  requests = new SimpleVerifier({ verifier, now: () => nowMs });
  countVerifications = count;
});

function signText(text: string): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64');
}

function post(body: string): RequestToSign {
  return { method: 'POST', query: null, body: Buffer.from(body) };
}

function verify(request: RequestToSign, signatureHeader: string) {
  return requests.verify({ apiKeyHeader, signatureHeader, request });
}

function reasonOf(request: RequestToSign, signatureHeader: string): string {
  const result = verify(request, signatureHeader);
  if (result.ok) throw new Error('the signature was accepted');
  nowMs += 1_000;
  return (result.explain?.() ?? result).reason;
}

describe('accepted requests', () => {
  it('returns the key, whichever accepted form was signed', () => {
    expect(verify(post('{ "a": 1 }'), signText('{"a":1}'))).toMatchObject({
      ok: true,
      key: {
        spki: publicKey.export({ format: 'der', type: 'spki' }),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it('works with every verifier', () => {
    requests = new SimpleVerifier({ verifier: verifyWithNodeCrypto });
    expect(verify(get, signText('{}')).ok).toBe(true);
    expect(verify(get, signText('{} ')).ok).toBe(false);
  });
});

describe('number of verifications on the curve', () => {
  it('is one for the first request, and zero when it is repeated', () => {
    const signature = signText('{}');
    for (let round = 0; round < 3; round++) expect(verify(get, signature).ok).toBe(true);
    expect(countVerifications()).toBe(1);
  });

  it('is one for each accepted form up to the one that was signed', () => {
    const signature = signText('{"a":1}');
    expect(verify(post('{ "a":1}'), signature).ok).toBe(true);
    expect(countVerifications()).toBe(2);
    // The form that was signed is cached.
    expect(verify(post('{ "a":1}'), signature).ok).toBe(true);
    expect(countVerifications()).toBe(2);
  });

  it('is zero for a repeated target, and for another payload with the same signature', () => {
    const signature = signText('page=1');
    const ask = (query: string) =>
      requests.verify({
        apiKeyHeader,
        signatureHeader: signature,
        request: { ...get, query },
        target: `GET /strains?${query}`,
      }).ok;
    expect([ask('page=1'), ask('page=1'), countVerifications()]).toEqual([true, true, 1]);
    // A signature is valid for one payload only.
    expect([ask('page=2'), ask('page=2'), countVerifications()]).toEqual([false, false, 1]);
    expect(ask('page=1')).toBe(true);
  });

  it('is one more for another payload, and for another key', () => {
    const signature = signText('{}');
    expect(verify(get, signature).ok).toBe(true);
    expect(verify(getWithQuery, signature).ok).toBe(false);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
    const strangersKey = Buffer.from(stranger.export({ format: 'pem', type: 'spki' })).toString('base64');
    expect(
      requests.verify({
        apiKeyHeader: strangersKey,
        signatureHeader: signature,
        request: get,
      }).ok,
    ).toBe(false);
  });

  it('is one more after the request was removed from the cache', () => {
    const signature = signText('{}');
    const result = verify(get, signature);
    if (!result.ok) throw new Error(result.reason);
    requests.forget(result);
    expect(verify(get, signature).ok).toBe(true);
    expect(countVerifications()).toBe(2);
  });

  it('is bounded when nothing matches, each time', () => {
    const request = {
      method: 'DELETE',
      query: 'a=%20',
      body: Buffer.from('{ "a": 1 }'),
      pathParameters: { id: '1' },
    };
    const signature = signText('something else');
    for (const expected of [5, 10]) {
      expect(verify(request, signature).ok).toBe(false);
      expect(countVerifications()).toBe(expected);
    }
  });

  it('is one where the body must not be parsed', () => {
    const signed = { apiKeyHeader, signatureHeader: signText('{"a":1}'), request: post('{ "a":1}') };
    expect(requests.verify({ ...signed, parsesBody: false }).ok).toBe(false);
    expect(countVerifications()).toBe(1);
    expect(requests.verify(signed).ok).toBe(true);
  });

  it('is bounded for an explanation, which a key gets once a second', () => {
    const request = { ...post('{"a":1,"b":[{"c":2}],"d":3}'), query: 'a=1&b=2&c=%20' };
    const signature = signText('something else');
    const explain = () => {
      const result = verify(request, signature);
      if (result.ok) throw new Error('the signature was accepted');
      const before = countVerifications();
      expect(result.explain?.().code).toBe('SIGNATURE_INVALID');
      return countVerifications() - before;
    };
    const first = explain();
    expect(first).toBeGreaterThan(20);
    expect(first).toBeLessThan(50);
    expect(explain()).toBe(0);
    nowMs += 999;
    expect(explain()).toBe(0);
    nowMs += 1;
    expect(explain()).toBe(first);
  });

  it('is zero for malformed headers', () => {
    expect(verify(get, 'nonsense!').ok).toBe(false);
    expect(requests.verify({ apiKeyHeader: 'x', signatureHeader: signText('{}'), request: get }).ok).toBe(
      false,
    );
    expect(countVerifications()).toBe(0);
  });
});

describe('rejected requests', () => {
  it.each([
    [undefined, undefined, 'CREDENTIALS_MISSING', 'x-auth-apikey is missing; x-auth-signature is missing'],
    [undefined, 'AAAA', 'CREDENTIALS_MISSING', 'x-auth-apikey is missing'],
    [apiKeyHeader, undefined, 'CREDENTIALS_MISSING', 'x-auth-signature is missing'],
    ['', undefined, 'CREDENTIALS_MISSING', 'x-auth-apikey is empty; x-auth-signature is missing'],
    [apiKeyHeader, ' "" ', 'SIGNATURE_MALFORMED', 'x-auth-signature is empty'],
    ['', 'AAAA', 'API_KEY_MALFORMED', 'x-auth-apikey is empty'],
    [`${apiKeyHeader}, ${apiKeyHeader}`, 'AAAA', 'API_KEY_MALFORMED', 'x-auth-apikey must be sent once'],
    [[apiKeyHeader, apiKeyHeader], 'AAAA', 'API_KEY_MALFORMED', 'x-auth-apikey must be sent once'],
    [apiKeyHeader, 'AAAA, AAAA', 'SIGNATURE_MALFORMED', 'x-auth-signature must be sent once'],
    ['x!', 'AAAA', 'API_KEY_MALFORMED', 'x-auth-apikey must be Base64 of a PEM public key: it is not Base64'],
  ])('rejects headers %#', (apiKey, signatureHeader, code, reason) => {
    expect(requests.verify({ apiKeyHeader: apiKey, signatureHeader, request: get })).toEqual({
      ok: false,
      code,
      reason,
    });
  });

  it('names an HMAC', () => {
    const hmac = createHmac('sha256', 'secret').update('{}').digest('base64');
    expect(reasonOf(get, hmac)).toMatch(/^x-auth-signature must be .* look like an HMAC/);
  });

  it('shows the derived payload if another one was signed', () => {
    expect(reasonOf(get, signText('{ }'))).toBe(
      `x-auth-signature does not match the payload of this request: {} (2 bytes, SHA-256 ${hashOfEmptyObject})`,
    );
    expect(reasonOf(post(`{"a":"${'é\r\n'.repeat(500)}"}`), signText('x'))).toMatch(/^[\x20-\x7e]{0,400}$/);
  });

  it('rejects the signature of another key', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const signature = sign('sha256', Buffer.from('{}'), other.privateKey).toString('base64');
    expect(verify(get, signature).ok).toBe(false);
  });

  it.each([
    ['the empty string', get, '', /; the empty string was signed instead$/],
    ['the empty string', getWithQuery, '', /: page=1 \(.*; the empty string was signed instead$/],
    ['the empty string', post('{"a":1}'), '', /; the empty string was signed instead$/],
    [
      '{}',
      getWithQuery,
      '{}',
      /: page=1 \(.*; \{\} was signed, which is correct only for a request without a query$/,
    ],
    ['{}', { ...getWithQuery, method: 'DELETE' }, '{}', /correct only for a request without a query$/],
    ['{}', post('{"a":1}'), '{}', /; \{\} was signed, which is correct only for a request without a body$/],
    ['the question mark', getWithQuery, '?page=1', /; the query was signed with its question mark$/],
  ])('names a signature of %s every time (%#)', (_what, request, signed, reason) => {
    const signature = signText(signed);
    expect(reasonOf(request, signature)).toMatch(reason);
    expect(reasonOf(request, signature)).toMatch(reason);
  });

  it('rejects a signature of {} for a query, also if {} was verified before', () => {
    const signature = signText('{}');
    expect(verify(get, signature).ok).toBe(true);
    expect(verify(getWithQuery, signature).ok).toBe(false);
    expect(verify({ method: 'DELETE', query: 'a=1', body: Buffer.from('{}') }, signature).ok).toBe(false);
  });

  it('rejects a signature of the empty string for every request', () => {
    const signature = signText('');
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PATCH', 'PUT']) {
      for (const query of [null, '', '&', 'a=1']) {
        for (const body of [null, Buffer.alloc(0), Buffer.from('""')]) {
          expect(verify({ method, query, body }, signature).ok).toBe(false);
        }
      }
    }
  });
});
