import { createHmac } from 'node:crypto';
import { failure } from '@keyfront/protocol';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CurlAnswer, curl } from './support/curl.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { makeOpensslKey, signWithOpenssl } from './support/openssl.ts';
import { runSql } from './support/test-database.ts';
import { testOperation } from './support/test-operation.ts';

const thing = '019a8f3e-7c00-7000-8000-000000000001';
let service: GuardedApp;

beforeAll(async () => {
  service = await startGuardedApp((router) => {
    const response = Type.Object({ tokenId: Type.Integer() });
    const Path = Type.Object({ thingId: Type.String() });
    const Body = Type.Object({ name: Type.String(), more: Type.Optional(Type.Unknown()) });
    for (const method of ['GET', 'DELETE'] as const) {
      const things = {
        method,
        path: '/test/things',
        id: `${method}Things`,
        response,
        ignoresUnknownBody: true,
      } as const;
      const one = {
        ...things,
        path: '/test/things/{thingId}',
        id: `${method}Thing`,
        parameters: Path,
      } as const;
      router.add(testOperation(things), ({ scope }) => tokenOf(scope));
      router.add(testOperation(one), ({ scope }) => tokenOf(scope));
    }
    for (const method of ['POST', 'PATCH'] as const) {
      const nothing = { method, path: '/test/nothing', id: `${method}Nothing`, response } as const;
      const things = { ...nothing, path: '/test/things', id: `${method}Things`, body: Body } as const;
      router.add(testOperation(nothing), ({ scope }) => tokenOf(scope));
      router.add(testOperation(things), ({ scope }) => tokenOf(scope));
    }
  });
});
afterAll(() => service.close());

function tokenOf(scope: { role: string }): { tokenId: number } {
  return { tokenId: 'tokenId' in scope && typeof scope.tokenId === 'number' ? scope.tokenId : -1 };
}

interface Attempt {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  /** The signed payload. */
  readonly payload: string;
  readonly apiKey?: string;
  readonly signature?: string;
}

function send({
  method = 'GET',
  path = '/test/things',
  body,
  payload,
  ...headers
}: Attempt): Promise<CurlAnswer> {
  const { apiKey = service.key.apiKey, signature = signWithOpenssl(service.key, payload) } = headers;
  return curl(
    '--request',
    method,
    '--header',
    `x-auth-apikey: ${apiKey}`,
    '--header',
    `x-auth-signature: ${signature}`,
    ...(body === undefined ? [] : ['--header', 'content-type: application/json', '--data-binary', body]),
    service.base + path,
  );
}

const expectAdmitted = async (attempt: Attempt) => {
  const answer = await send(attempt);
  expect([attempt, answer.status, answer.headers.get('www-authenticate')]).toEqual([attempt, 200, undefined]);
  expect(answer.json).toMatchObject({ data: { tokenId: 1 } });
};

const expectRefused = (answer: CurlAnswer, reason: RegExp) => {
  expect(answer.json).toEqual({
    success: false,
    statusCode: 401,
    code: expect.stringMatching(/^(CREDENTIALS_MISSING|(API_KEY|SIGNATURE|SIGNED)_[A-Z_]+)$/),
    message: 'User is not authorized',
    reason: expect.any(String),
    data: null,
  });
  const quoted = (answer.json as { reason: string }).reason.replaceAll(/["\\]/g, '\\$&');
  expect(answer.headers.get('www-authenticate')).toContain(`error_description="${quoted}"`);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Signature realm="keyfront", error="invalid_signature", /,
  );
  expect(answer.headers.get('www-authenticate')).toMatch(reason);
};

describe('a request signed by openssl and sent by curl', () => {
  it.each(['GET', 'DELETE'])('is accepted: %s without a query', async (method) => {
    await expectAdmitted({ method, payload: '{}' });
    await expectAdmitted({ method, path: '/test/things?', payload: '{}' });
    await expectAdmitted({ method, path: `/test/things/${thing}`, payload: '{}' });
    await expectAdmitted({ method, path: `/test/things/${thing}`, payload: `{"thingId":"${thing}"}` });
  });

  it.each([
    'page=1&take=5',
    'search=with%20blanks',
    'search=with+plus',
    'search=~tilde',
    'search=%7Etilde',
    'search=gr%C3%BCn',
    'empty=&also=',
    'same=1&same=2&same=1',
    'b=2&a=1',
    'novalue',
    'a=1&&b=2',
    'json=%7B%22a%22%3A1%7D',
  ])('passes: GET and DELETE with the query %s', { tags: ['long'] }, async (query) => {
    for (const method of ['GET', 'DELETE']) {
      await expectAdmitted({ method, path: `/test/things?${query}`, payload: query });
      const form = new URLSearchParams(query).toString();
      await expectAdmitted({ method, path: `/test/things?${query}`, payload: form });
    }
  });

  it.each([
    ['page=1&take=5', '{"page":"1","take":"5"}'],
    ['search=gr%C3%BCn+%22a%22&b=2&10=&9=x', '{"search":"grün \\"a\\"","b":"2","10":"","9":"x"}'],
  ])('is accepted: GET and DELETE with the query %s signed as JSON', async (query, payload) => {
    for (const method of ['GET', 'DELETE']) {
      await expectAdmitted({ method, path: `/test/things?${query}`, payload });
    }
  });

  it.each([
    ['page=1&take=5', '{"take":"5","page":"1"}'],
    ['page=1&take=5', '{"page":1,"take":5}'],
    ['page=1&take=5', '{"page":"1"}'],
    ['page=1', '{"page": "1"}'],
    ['page=1&page=2', '{"page":"2"}'],
    ['page=1&page=2', '{"page":"1","page":"2"}'],
    ['&', '{}'],
  ])('is rejected: the query %s signed as %s', async (query, payload) => {
    expectRefused(await send({ path: `/test/things?${query}`, payload }), /does not match the payload/);
  });

  it.each(['POST', 'PATCH'])('is accepted: %s with a body in any encoding', async (method) => {
    const compact = '{"name":"grün \\u00fc ✓"}';
    await expectAdmitted({ method, body: compact, payload: compact });
    const pretty = JSON.stringify({ name: 'Ada', more: [1, { deep: null }] }, null, 2);
    await expectAdmitted({ method, body: pretty, payload: pretty });
    await expectAdmitted({ method, body: pretty, payload: JSON.stringify(JSON.parse(pretty)) });
    await expectAdmitted({ method, path: '/test/nothing', payload: '{}' });
  });

  it('opens with one captured signature what the threat model of the guide lists', async () => {
    const empty = { payload: '{}', signature: signWithOpenssl(service.key, '{}') };
    const query = { payload: 'take=5', signature: signWithOpenssl(service.key, 'take=5') };
    for (const method of ['GET', 'DELETE']) {
      await expectAdmitted({ ...empty, method, path: `/test/things/${thing}` });
      await expectAdmitted({ ...query, method, path: `/test/things/${thing}?take=5` });
      expectRefused(await send({ ...empty, method, path: '/test/things?take=5' }), /does not match/);
    }
    for (const method of ['POST', 'PATCH']) {
      await expectAdmitted({ ...empty, method, path: '/test/nothing?take=5' });
      await expectAdmitted({ ...empty, method, path: '/test/nothing', body: '{}' });
      expectRefused(await send({ ...empty, method, body: '{"name":"a"}' }), /does not match/);
    }
  });

  it('is accepted: DELETE with a JSON body', async () => {
    await expectAdmitted({ method: 'DELETE', body: '{"why": "old"}', payload: '{"why": "old"}' });
    await expectAdmitted({ method: 'DELETE', body: '{"why": "old"}', payload: '{"why":"old"}' });
  });

  it('is accepted under the doubled prefix, and on the real routes', async () => {
    await expectAdmitted({ path: '/api/v1/test/things?a=1', payload: 'a=1' });
    expect((await send({ path: '/planets', payload: '{}' })).status).toBe(200);
    expect((await send({ path: '/dapp/strains?page=1&take=5', payload: 'page=1&take=5' })).status).toBe(200);
  });

  it('is accepted with the key in another encoding', async () => {
    const pem = Buffer.from(service.key.apiKey, 'base64').toString();
    const body = pem.replaceAll(/-----[^-]+-----|\s/g, '');
    const forms = [
      service.key.apiKey.replaceAll('=', ''),
      Buffer.from(pem.replaceAll('\n', '\r\n')).toString('base64'),
      Buffer.from(pem.trim()).toString('base64url'),
      `"${service.key.apiKey}"`,
      ` ${service.key.apiKey} `,
      body,
    ];
    for (const apiKey of forms) await expectAdmitted({ payload: '{}', apiKey });
  });
});

describe('a request with a wrong signature', () => {
  it('gets a hint when an empty string was signed instead of {}', async () => {
    // The mistakes of a key are searched for once a second.
    const key = makeOpensslKey(service.folder, 'mistaken');
    const attempt = { payload: '', apiKey: key.apiKey, signature: signWithOpenssl(key, '') };
    expectRefused(await send(attempt), /empty string/);
  });

  it('gets a hint when {} was signed although there is a query', async () => {
    expectRefused(await send({ path: '/test/things?page=1', payload: '{}' }), /page=1/);
  });

  it('gets the payload of the service when one byte differs', async () => {
    const answer = await send({ method: 'POST', body: '{"name":"Ada"}', payload: '{"name":"Adb"}' });
    expectRefused(answer, /does not match the payload of this request: .*\{\\"name\\":\\"Ada\\"\}/);
  });

  it('is rejected before its body is validated', async () => {
    expectRefused(await send({ method: 'POST', body: '{"name":', payload: 'x' }), /does not match/);
    const malformed = await send({ method: 'POST', body: '{"name":', payload: '{"name":' });
    expect(malformed.json).toMatchObject({ statusCode: 400, data: ['body must be valid JSON'] });
    const twice = await send({
      method: 'POST',
      body: '{"name":"a","name":"b"}',
      payload: '{"name":"a","name":"b"}',
    });
    expect(twice.json).toMatchObject({
      statusCode: 400,
      data: ['body must not contain the name "name" twice'],
    });
  });

  it('with another key than it names is rejected', async () => {
    const other = makeOpensslKey(service.folder, 'other');
    expectRefused(await send({ payload: '{}', signature: signWithOpenssl(other, '{}') }), /does not match/);
  });

  it('with an unknown or revoked key gets the same message for both', async () => {
    const sentence = /the signature is valid, but its key is not known here or was revoked/;
    const unknown = makeOpensslKey(service.folder, 'unknown');
    const attempt = { payload: '{}', apiKey: unknown.apiKey, signature: signWithOpenssl(unknown, '{}') };
    const before = await send(attempt);
    expectRefused(before, sentence);
    const der = Buffer.from(
      Buffer.from(unknown.apiKey, 'base64')
        .toString()
        .replaceAll(/-----[^-]+-----|\s/g, ''),
      'base64',
    );
    await runSql(
      service.ownerUrl,
      `INSERT INTO keyfront.api_keys (holder_id, token_id, key_name, public_key, revoked_at)
       SELECT holder_id, token_id, 'revoked', $1, now() FROM keyfront.digital_keys WHERE token_id = 1`,
      [der],
    );
    const after = await send(attempt);
    expectRefused(after, sentence);
    expect(after.headers.get('www-authenticate')).toBe(before.headers.get('www-authenticate'));
  });

  it('with an HMAC is rejected', async () => {
    const signature = createHmac('sha256', 'secret').update('{}').digest('base64');
    expectRefused(await send({ payload: '{}', signature }), /HMAC/);
  });

  it.each([
    ['prime256v1', /secp256k1/],
    ['ed25519', /secp256k1/],
  ])('with a key of the curve %s', async (algorithm, reason) => {
    const other = makeOpensslKey(service.folder, algorithm, algorithm);
    expectRefused(await send({ payload: '{}', apiKey: other.apiKey }), reason);
  });

  it('with a point that is not on the curve is rejected', async () => {
    const pem = Buffer.from(service.key.apiKey, 'base64').toString();
    const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    expectRefused(await send({ payload: '{}', apiKey: der.toString('base64') }), /x-auth-apikey .*curve/);
  });

  it('with double Base64 is rejected', async () => {
    const apiKey = Buffer.from(service.key.apiKey).toString('base64');
    expectRefused(await send({ payload: '{}', apiKey }), /x-auth-apikey/);
    const signature = Buffer.from(signWithOpenssl(service.key, '{}')).toString('base64');
    expectRefused(await send({ payload: '{}', signature }), /x-auth-signature/);
  });

  it('with a missing, empty or repeated header is rejected', async () => {
    const url = `${service.base}/test/things`;
    const apiKey = `x-auth-apikey: ${service.key.apiKey}`;
    const signature = `x-auth-signature: ${signWithOpenssl(service.key, '{}')}`;
    expectRefused(await curl(url), /x-auth-apikey.* missing.*x-auth-signature.* missing/);
    expectRefused(await curl('--header', apiKey, url), /x-auth-signature.* missing/);
    expectRefused(await curl('--header', signature, url), /x-auth-apikey.* missing/);
    expectRefused(
      await curl('--header', apiKey, '--header', apiKey, '--header', signature, url),
      /x-auth-apikey/,
    );
    expectRefused(await curl('--header', 'x-auth-apikey;', '--header', signature, url), /x-auth-apikey/);
  });
});

describe('a signed request on a route for tokens', () => {
  it('is 401 with the message for tokens and a hint', async () => {
    for (const path of ['/keys', '/keys?page=1']) {
      const answer = await send({ path, payload: '{}' });
      expect(answer.json).toEqual({ ...failure('TOKEN_REQUIRED'), reason: expect.any(String) });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="keyfront".*accepts only a JWT/);
    }
  });
});
