import { createHash, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { httpbis } from 'http-message-signatures';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawConnection } from '../fuzz/src/raw-connection.ts';
import { keyReasons, nonceReasons } from '../packages/server/src/auth/key-reasons.ts';
import { refusalReasons } from '../packages/signatures/src/bound/refusal-reasons.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { readDocument, readTables, toPattern } from './support/guide-programs.ts';
import { makeOpensslKey } from './support/openssl.ts';
import { type BoundOptions, fingerprintOf, signBound } from './support/sign-bound.ts';
import { noLimits } from './support/test-app.ts';
import { runSql } from './support/test-database.ts';
import { testOperation } from './support/test-operation.ts';

let service: GuardedApp;
let key: KeyObject;
let keyId: string;
const body = '{"name":"a"}';

beforeAll(async () => {
  service = await startGuardedApp((router) => {
    const response = Type.Object({ tokenId: Type.Integer() });
    const Body = Type.Object({ name: Type.String() });
    const things = { path: '/test/things', response } as const;
    const tokenOf = (scope: object) => ({ tokenId: 'tokenId' in scope ? Number(scope.tokenId) : -1 });
    router.add(
      testOperation({ ...things, method: 'GET', id: 'getThings', ignoresUnknownBody: true }),
      ({ scope }) => tokenOf(scope),
    );
    router.add(testOperation({ ...things, method: 'DELETE', id: 'deleteThings' }), ({ scope }) =>
      tokenOf(scope),
    );
    const ignored = { ...things, path: '/test/ignored', method: 'POST', id: 'postIgnored' } as const;
    router.add(testOperation({ ...ignored, ignoresUnknownBody: true }), ({ scope }) => tokenOf(scope));
    for (const method of ['POST', 'PATCH', 'PUT'] as const) {
      router.add(testOperation({ ...things, method, id: `${method}Things`, body: Body }), ({ scope }) =>
        tokenOf(scope),
      );
    }
  });
  key = createPrivateKey(readFileSync(service.key.file));
  const [row] = await runSql<{ id: string }>(service.ownerUrl, 'SELECT id FROM keyfront.api_keys');
  keyId = row?.id ?? '';
});
afterAll(() => service.close());

interface Attempt extends BoundOptions {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  /** What is signed, where it differs from what is sent. */
  readonly signed?: { readonly method?: string; readonly url?: string; readonly body?: string };
  /** Null removes a header. */
  readonly headers?: Record<string, string | null>;
  readonly key?: KeyObject;
}

async function send({
  method = 'GET',
  path = '/test/things',
  body: sent,
  signed,
  headers,
  ...options
}: Attempt) {
  const url = service.base + path;
  const credentials = signBound(options.key ?? key, { method, url, body: sent, ...signed }, options);
  const type = sent === undefined ? {} : { 'content-type': 'application/json' };
  const all = Object.entries({ ...type, ...credentials, ...headers });
  const answer = await fetch(url, {
    method,
    headers: all.filter((header): header is [string, string] => header[1] !== null),
    ...(sent === undefined ? {} : { body: sent }),
  });
  const reason = /error_description="(.*)"$/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  return { status: answer.status, reason: reason.replaceAll('\\', ''), text: await answer.text() };
}

/** Those of requests that need more than one attempt. */
const repeatedReasons = [nonceReasons.repeated()];

/** A reason with an ellipsis for each part that differs between requests, as the guide writes it. */
function withoutParts(write: (...parts: string[]) => string): string {
  return write(...Array.from({ length: write.length }, () => '…'));
}

const now = () => Math.floor(Date.now() / 1000);

describe('a bound signature is accepted', () => {
  it.each<[string, Attempt]>([
    ['for a GET', {}],
    ['for a query in its order and encoding', { path: '/test/things?b=2&a=1&a=%7e~+%20&empty=' }],
    ['for the doubled prefix', { path: '/api/v1/test/things?a=1' }],
    ['with authority, path and query', { components: ['@authority', '@method', '@path', '@query'] }],
    [
      'with authority, path and a query',
      { path: '/test/things?a=1', components: ['@query', '@path', '@method', '@authority'] },
    ],
    ['for a POST', { method: 'POST', body }],
    ['for a PATCH', { method: 'PATCH', body }],
    ['for a PUT', { method: 'PUT', body }],
    ['for a DELETE', { method: 'DELETE' }],
    [
      'with more covered headers',
      { method: 'POST', body, components: ['content-type', '@method', '@target-uri', 'content-digest'] },
    ],
    ['with more parameters', { more: ';tag="shop";alg="ecdsa-secp256k1-sha256";expires=9999999999' }],
    ['with any label', { label: 'my-label' }],
  ])('%s', async (_what, attempt) => {
    const answer = await send(attempt);
    expect(answer).toMatchObject({ status: 200, reason: '' });
    expect(answer.text).toContain('"tokenId":1');
  });

  it('with an older and a newer clock', async () => {
    // Not 300: the time that a busy machine takes counts, too.
    for (const difference of [-270, 290]) {
      expect(await send({ created: now() + difference })).toMatchObject({ status: 200, reason: '' });
    }
  });

  it('with the id of the key, and with the API key beside it', async () => {
    expect(await send({ keyid: keyId })).toMatchObject({ status: 200 });
    expect(await send({ headers: { 'x-auth-apikey': service.key.apiKey } })).toMatchObject({ status: 200 });
  });

  it('as one of several, if it has the label keyfront', async () => {
    const url = `${service.base}/test/things`;
    const own = signBound(key, { method: 'GET', url }, { label: 'keyfront' });
    const headers = {
      'signature-input': `proxy=("@status");created=1, ${own['signature-input']}`,
      signature: `${own.signature}, proxy=:AAAA:`,
    };
    expect((await fetch(url, { headers })).status).toBe(200);
  });

  it('made by another implementation', async () => {
    for (const request of [
      { method: 'GET', url: `${service.base}/test/things?b=%20&a=1` },
      { method: 'DELETE', url: `${service.base}/test/things` },
      { method: 'POST', url: `${service.base}/test/things`, body },
    ]) {
      const digest = createHash('sha512')
        .update(request.body ?? '')
        .digest('base64');
      const headers = {
        'content-type': 'application/json',
        ...(request.body === undefined ? {} : { 'content-digest': `sha-512=:${digest}:` }),
      };
      const signed = await httpbis.signMessage(
        {
          key: {
            id: fingerprintOf(key),
            sign: async (data) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
          },
          fields: [
            '@method',
            '@target-uri',
            'content-type',
            ...(request.body === undefined ? [] : ['content-digest']),
          ],
          params: ['created', 'expires', 'keyid', 'nonce', 'tag'],
          paramValues: { nonce: randomUUID(), tag: 'another' },
        },
        { ...request, headers },
      );
      const answer = await fetch(request.url, {
        method: request.method,
        headers: signed.headers as Record<string, string>,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      expect([request.method, answer.status, answer.headers.get('www-authenticate')]).toEqual([
        request.method,
        200,
        null,
      ]);
    }
  });
});

describe('a bound signature is refused', () => {
  const elsewhere = 'http://shop.example/api/v1/test/things';

  const refusals: readonly [string, () => Attempt, RegExp][] = [
    [
      'without Signature-Input',
      () => ({ headers: { 'signature-input': null } }),
      /^signature-input is missing: it says what signature covers$/,
    ],
    [
      'without Signature-Input, with the API key beside it',
      () => ({ headers: { 'signature-input': null, 'x-auth-apikey': service.key.apiKey } }),
      /^signature-input is missing/,
    ],
    [
      'on another path',
      () => ({ signed: { url: `${service.base}/test/other` } }),
      /^signature does not match this request and a key that is known here; the signature base of the request is: "@method": GET \| "@target-uri": http/,
    ],
    [
      'with another method',
      () => ({ method: 'DELETE', signed: { method: 'PUT' } }),
      /^signature does not match/,
    ],
    [
      'with another query',
      () => ({ path: '/test/things?a=1', signed: { url: `${service.base}/test/things?a=2` } }),
      /^signature does not match/,
    ],
    [
      'with a query in another order',
      () => ({ path: '/test/things?a=1&b=2', signed: { url: `${service.base}/test/things?b=2&a=1` } }),
      /^signature does not match/,
    ],
    ['for another host', () => ({ signed: { url: elsewhere } }), /^signature does not match/],
    [
      'with another body',
      () => ({ method: 'POST', body: '{"name":"b"}', signed: { body } }),
      /^content-digest is not that of the body: its sha-256 differs$/,
    ],
    [
      'with another body and its digest',
      () => ({
        method: 'POST',
        body,
        signed: { body: '{"name":"b"}' },
        headers: { 'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:` },
      }),
      /^signature does not match/,
    ],
    [
      'by another key',
      () => ({
        key: createPrivateKey(readFileSync(makeOpensslKey(service.folder, 'mallory').file)),
        keyid: fingerprintOf(key),
      }),
      /^signature does not match/,
    ],
    [
      'after 300 seconds',
      () => ({ created: now() - 310 }),
      /^created is 31\d seconds before the time of the service, which is \d+: at most 300 are accepted$/,
    ],
    [
      'before its time',
      () => ({ created: now() + 310 }),
      /^created is 3\d\d seconds after the time of the service/,
    ],
    ['after it has expired', () => ({ more: `;expires=${now() - 5}` }), /^the signature has expired/],
    ['without the method', () => ({ components: ['@target-uri'] }), /^the signature must cover "@method"$/],
    [
      'without the address',
      () => ({ components: ['@method', '@path', '@authority'] }),
      /^the signature must cover "@target-uri", or "@authority", "@path" and "@query"$/,
    ],
    [
      'without the body',
      () => ({ method: 'POST', body, components: ['@method', '@target-uri'] }),
      /^the signature must cover "content-digest", because the request has a body$/,
    ],
    [
      'for a change without a nonce',
      () => ({ method: 'DELETE', nonce: null }),
      /^signature-input must have a nonce, because a DELETE may change something$/,
    ],
    [
      'with a short nonce',
      () => ({ nonce: 'a'.repeat(15) }),
      /^nonce must be a text of 16 to 255 characters$/,
    ],
    ['with an empty nonce', () => ({ nonce: '' }), /^nonce must be a text of 16 to 255 characters$/],
    ['with another name of a key', () => ({ keyid: 'me' }), /^keyid must be the SHA-256 of the public key/],
    ['with another algorithm', () => ({ more: ';alg="ed25519"' }), /^alg must be left out/],
    ['in DER', () => ({ dsaEncoding: 'der' }), /^signature must be the 64 bytes of r and s: it is DER$/],
    [
      'with a header that is not there',
      () => ({ components: ['@method', '@target-uri', 'x-other'] }),
      /^the signature covers "x-other", which the request does not have$/,
    ],
    [
      'with a component of responses',
      () => ({ components: ['@method', '@target-uri', '@status'] }),
      /^the component "@status" is not supported$/,
    ],
    [
      'with a component twice',
      () => ({ components: ['@method', '@method', '@target-uri'] }),
      /^the component "@method" is covered twice$/,
    ],
    [
      'with the API key of somebody else',
      () => ({ headers: { 'x-auth-apikey': makeOpensslKey(service.folder, 'other').apiKey } }),
      /^x-auth-apikey is not the key that keyid names$/,
    ],
    [
      'with damaged headers',
      () => ({ headers: { 'signature-input': 'sig1=("@method"' } }),
      /^signature-input must have the form/,
    ],
    [
      'with no list of components',
      () => ({ headers: { 'signature-input': 'sig1=1' } }),
      /^signature-input must list the covered components$/,
    ],
    ['without Signature', () => ({ headers: { signature: null } }), /^signature is missing$/],
    [
      'with a component that is not quoted',
      () => ({ headers: { 'signature-input': 'sig1=(method)' } }),
      /^the covered components must be quoted$/,
    ],
    [
      'with too many components',
      () => ({ components: Array.from({ length: 21 }, (_, at) => `x-${at}`) }),
      /^a signature covers at most 20 components$/,
    ],
    [
      'without a time',
      () => ({ headers: { 'signature-input': 'sig1=("@method")' } }),
      /^signature-input must have created, in seconds since 1970$/,
    ],
    [
      'with an end that is not a time',
      () => ({ more: ';expires="soon"' }),
      /^expires must be in seconds since 1970$/,
    ],
    [
      'with two labels',
      () => ({ headers: { 'signature-input': 'a=();created=1, b=();created=1' } }),
      /^signature-input must name one signature, or one of them keyfront$/,
    ],
    [
      'with a signature of another label',
      () => ({ headers: { signature: 'other=:AAAA:' } }),
      /^signature must have the form sig1=:<Base64>:$/,
    ],
    [
      'with a short signature',
      () => ({ headers: { signature: 'sig1=:AAAA:' } }),
      /^signature must be the 64 bytes of r and s: it has 3 bytes$/,
    ],
    [
      'with numbers out of range',
      () => ({ headers: { signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` } }),
      /^signature does not match/,
    ],
    [
      'with a digest that is not one',
      () => ({ method: 'POST', body, headers: { 'content-digest': 'sha-256=abc' } }),
      /^content-digest must have the form sha-256=:<Base64>:$/,
    ],
    [
      'with an unknown digest',
      () => ({ method: 'POST', body, headers: { 'content-digest': 'md5=:AAAA:' } }),
      /^content-digest must contain a digest with sha-256 or sha-512$/,
    ],
  ];

  it.each(refusals)('%s', async (_what, attempt, reason) => {
    const answer = await send(attempt());
    expect(answer.status).toBe(401);
    expect(answer.reason).toMatch(reason);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: expect.stringMatching(/^(SIGNATURE_INVALID|SIGNATURE_MALFORMED|CREDENTIALS_MISSING)$/),
      reason: answer.reason,
    });
  });

  it('with the reasons that the guide explains', async () => {
    const [rows = []] = readTables(
      readDocument('docs/guides/signing.md'),
      'Why a bound signature is refused',
    );
    const explained = rows.map(([reason = '']) => reason.replace(/^`(.*)`$/, '$1'));
    // The other reasons about keys are those of simple signatures.
    const known = [
      ...Object.values(refusalReasons),
      ...Object.values(nonceReasons),
      keyReasons.expired,
      keyReasons.otherApiKey,
    ].map(withoutParts);
    expect(explained.toSorted()).toEqual(known.toSorted());

    const sent = await Promise.all(refusals.map(async ([, attempt]) => (await send(attempt())).reason));
    sent.push(...repeatedReasons);
    const never = explained.filter((reason) => !sent.some((each) => toPattern(reason).test(each)));
    // `key-settings.test.ts` has a key that has expired, `wrong-clocks.test.ts` a nonce, and a test below has no Host.
    const elsewhere = [
      withoutParts(keyReasons.expired),
      nonceReasons.expired(),
      refusalReasons.hostMissing(),
    ];
    expect(never.toSorted()).toEqual(elsewhere.toSorted());
  });
});

describe('a repeated request', () => {
  it('is accepted if it reads', async () => {
    const url = `${service.base}/test/things`;
    const headers = signBound(key, { method: 'GET', url });
    for (let time = 0; time < 3; time++) expect((await fetch(url, { headers })).status).toBe(200);
    const [row] = await runSql(
      service.ownerUrl,
      'SELECT FROM keyfront.request_nonces WHERE nonce_hash IS NULL',
    );
    expect(row).toBeUndefined();
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is refused if it may change something: %s', async (method) => {
    const url = `${service.base}/test/things`;
    const content = method === 'DELETE' ? {} : { body };
    const headers = {
      'content-type': 'application/json',
      ...signBound(key, { method, url, ...content }),
    };
    const attempts = await Promise.all(
      Array.from({ length: 8 }, () => fetch(url, { method, headers, ...content })),
    );
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)]);
    const refused = attempts.find(({ status }) => status === 401);
    expect(refused?.headers.get('www-authenticate')).toContain(repeatedReasons[0]);
  });

  it('is refused with another signature of the same nonce, and with another name of the key', async () => {
    const nonce = randomUUID();
    expect(await send({ method: 'DELETE', nonce })).toMatchObject({ status: 200 });
    expect(await send({ method: 'POST', body, nonce, created: now() - 1 })).toMatchObject({ status: 401 });
    expect(await send({ method: 'DELETE', nonce, keyid: keyId })).toMatchObject({ status: 401 });
  });

  it('may use the nonce of a request that was not valid', async () => {
    const nonce = randomUUID();
    expect(await send({ method: 'POST', body: '{"other":1}', nonce })).toMatchObject({ status: 400 });
    expect(await send({ method: 'POST', body, nonce })).toMatchObject({ status: 200 });
  });
});

describe('the simple form', () => {
  it('does not accept a bound signature with its signature base as the body', async () => {
    const url = `${service.base}/test/ignored`;
    const { 'signature-input': input = '', signature = '' } = signBound(key, { method: 'POST', url });
    const params = input.slice('sig1='.length);
    const base = `"@method": POST\n"@target-uri": ${url}\n"@signature-params": ${params}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-auth-apikey': service.key.apiKey,
        'x-auth-signature': signature.slice('sig1=:'.length, -1),
      },
      body: base,
    });
    expect(answer.status).toBe(401);
  });

  it('decides where both are sent, and a token where a proxy adds a signature', async () => {
    const url = `${service.base}/test/things`;
    const foreign = {
      'signature-input': 'proxy=("@method");created=1;keyid="proxy"',
      signature: 'proxy=:AAAA:',
    };
    const simple = {
      'x-auth-apikey': service.key.apiKey,
      'x-auth-signature': sign('sha256', Buffer.from('{}'), key).toString('base64'),
    };
    expect((await fetch(url, { headers: { ...foreign, ...simple } })).status).toBe(200);
    const wrong = signBound(key, { method: 'GET', url: `${url}/other` });
    expect((await fetch(url, { headers: { ...wrong, ...simple } })).status).toBe(200);
    const { signature } = foreign;
    const authorization = `Bearer ${await service.signIn(service.ada)}`;
    for (const added of [foreign, { signature }]) {
      expect((await fetch(url, { headers: { ...added, ...simple } })).status).toBe(200);
      expect((await fetch(url, { headers: { ...added, authorization } })).status).toBe(200);
    }
  });

  it('is the one that is missing where Signature is not that of an HTTP message', async () => {
    const url = `${service.base}/test/things`;
    const asked = await fetch(url, { headers: { signature: 'keyId="a",signature="b"' } });
    expect(await asked.json()).toMatchObject({
      code: 'CREDENTIALS_MISSING',
      reason: 'x-auth-apikey is missing; x-auth-signature is missing',
    });
  });

  it('is not replaced by an authorization that is not a token, as that of a proxy, and no form is', async () => {
    const url = `${service.base}/test/things`;
    const bound = signBound(key, { method: 'GET', url });
    const simple = {
      'x-auth-apikey': service.key.apiKey,
      'x-auth-signature': sign('sha256', Buffer.from('{}'), key).toString('base64'),
    };
    for (const authorization of ['Basic YTpi', 'Negotiate YTpi', 'BearerX y']) {
      for (const signed of [bound, simple]) {
        expect((await fetch(url, { headers: { ...signed, authorization } })).status).toBe(200);
      }
      const reason = (await fetch(url, { headers: { authorization } })).headers.get('www-authenticate');
      expect(reason).toContain('the authorization header must have the form Bearer <token>');
    }
    for (const authorization of ['Bearer none', 'bearer', 'Bearer ']) {
      expect((await fetch(url, { headers: { ...bound, authorization } })).status).toBe(401);
    }
  });
});

describe('the address of a bound signature', () => {
  it('is that of an absolute request target, whatever Host says', async () => {
    const connection = new RawConnection({ port: service.port });
    const exchange = async (target: string, host: string, signedUrl: string) => {
      const headers = signBound(key, { method: 'GET', url: signedUrl });
      const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
      const request = [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
      return (await connection.exchange(Buffer.from(request))).status;
    };
    const path = '/api/v1/test/things';
    const [one, other] = [`http://one.example${path}`, `http://other.example${path}`];
    expect(await exchange(path, 'one.example', one)).toBe(200);
    expect(await exchange(one, 'one.example', one)).toBe(200);
    expect(await exchange(`HTTP://One.Example:80${path}`, 'one.example', one)).toBe(200);
    expect(await exchange(other, 'one.example', one)).toBe(401);
    expect(await exchange(other, 'one.example', other)).toBe(200);
    expect(await exchange(one, 'other.example', other)).toBe(401);
    expect(await exchange(`http://me@one.example${path}`, 'one.example', one)).toBe(401);
    connection.close();
  });

  it('is missing in a request of HTTP/1.0 without a Host, which is refused', async () => {
    const connection = new RawConnection({ port: service.port });
    const path = '/api/v1/test/things';
    const signed = signBound(key, { method: 'GET', url: `http://${path}` });
    const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
    const request = [`GET ${path} HTTP/1.0`, ...lines, '', ''].join('\r\n');
    const { status, headers } = await connection.exchange(Buffer.from(request));
    connection.close();
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(refusalReasons.hostMissing());
  });

  it('is PUBLIC_URL where the operator has set it', async () => {
    const publicUrl = 'https://shop.example/keyfront/api/v1';
    const behindProxy = await startGuardedApp(undefined, noLimits, { publicUrl });
    try {
      const secretKey = createPrivateKey(readFileSync(behindProxy.key.file));
      const status = async (url: string, components?: string[]) => {
        const signed = signBound(secretKey, { method: 'GET', url }, components ? { components } : {});
        return (await fetch(`${behindProxy.base}/planets?a=`, { headers: signed })).status;
      };
      expect(await status(`${publicUrl}/planets?a=`)).toBe(200);
      expect(await status(`${publicUrl}/planets?a=`, ['@method', '@authority', '@path', '@query'])).toBe(200);
      expect(await status(`${behindProxy.base}/planets?a=`)).toBe(401);
      expect(await status('https://shop.example/api/v1/planets?a=')).toBe(401);
      expect(await status('http://shop.example/keyfront/api/v1/planets?a=')).toBe(401);
    } finally {
      await behindProxy.close();
    }
  });
});
