import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { failure } from '@keyfront/protocol';
import fc from 'fast-check';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawConnection, type RawResponse } from '../fuzz/src/raw-connection.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { scaled } from './support/scale.ts';
import { signBound } from './support/sign-bound.ts';
import { testOperation } from './support/test-operation.ts';

/** RFC 3986: pchar. */
const pchar = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})`;
/** What the URL standard does not encode in a query either. */
const leftInQuery = '[]|\\^{}`';
const validTarget = new RegExp(`^(?:/${pchar}*)+(?:\\?(?:${pchar}|[/?[\\]|\\\\^{}\`])*)?$`);

let service: GuardedApp;
let privateKey: KeyObject;
let connection: RawConnection | undefined;

beforeAll(async () => {
  service = await startGuardedApp((router) => {
    const path = '/test/echoes/{name}';
    const parameters = Type.Object({ name: Type.String() });
    const query = Type.Object({ search: Type.Optional(Type.String()), take: Type.Optional(Type.String()) });
    const response = Type.Object({ ...parameters.properties, ...query.properties });
    for (const [method, id] of [
      ['GET', 'getEcho'],
      ['DELETE', 'deleteEcho'],
    ] as const) {
      // Returns what the handler sees of the target.
      router.add(testOperation({ id, method, path, parameters, query, response }), (call) => ({
        ...call.parameters,
        ...call.query,
      }));
    }
  });
  privateKey = createPrivateKey(readFileSync(service.key.file));
});
afterAll(async () => {
  connection?.close();
  await service.close();
});

/** Sends a target byte for byte, with a signature over the payload. */
async function send(target: string, payload: string, method = 'GET'): Promise<RawResponse> {
  if (!connection?.isOpen) connection = new RawConnection({ port: service.port });
  const signature = sign('sha256', Buffer.from(payload, 'latin1'), privateKey);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: shop.example',
    `x-auth-apikey: ${service.key.apiKey}`,
    `x-auth-signature: ${signature.toString('base64')}`,
  ];
  return connection.exchange(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

const readJson = ({ body }: RawResponse) => JSON.parse(body.toString());

const invalidUrl = failure(
  'MALFORMED_REQUEST',
  'The URL is not valid: characters that the URL standard encodes must be percent-encoded',
);

describe('a request target', () => {
  it.each(['GET', 'DELETE'])('is 400 with a fragment, which no signature covers: %s', async (method) => {
    for (const target of [
      '/api/v1/test/echoes/a#search=b',
      '/api/v1/test/echoes/a#?search=b',
      '/api/v1/test/echoes/a?#search=b',
      '/api/v1/test/echoes/a?take=1#&search=b',
      '/api/v1/api/v1/test/echoes/a#search=b',
      'http://shop.example/api/v1/test/echoes/a#search=b',
    ]) {
      for (const payload of ['{}', 'search=b']) {
        const response = await send(target, payload, method);
        expect([target, response.status, readJson(response)]).toEqual([target, 400, invalidUrl]);
      }
    }
  });

  it('is 400 with any byte that must be encoded in its place, before the credentials are looked at', {
    tags: ['long'],
  }, async () => {
    for (let byte = 0x21; byte < 0x100; byte++) {
      const character = String.fromCharCode(byte);
      for (const target of [
        `/api/v1/test/echoes/a${character}`,
        `/api/v1/test/echoes/a?search=${character}`,
      ]) {
        const response = await send(target, 'nothing that is valid');
        // DEL never reaches the router: the parser of Node refuses it.
        const expected = validTarget.test(target) ? [401, 404] : [400];
        expect([target, expected.includes(response.status)]).toEqual([target, true]);
        if (response.status === 400) expect(readJson(response)).toMatchObject({ code: 'MALFORMED_REQUEST' });
      }
    }
    for (const target of ['/%', '/%z', '/%zz', '/api/v1/%a?b', '/api/v1/planets?a=%', '/?%0g', '/%ff']) {
      expect([target, (await send(target, '{}')).status]).toEqual([target, 400]);
    }
  });

  it.each(['GET', 'DELETE'])(
    'may have a query with every character that the URL standard leaves as it is, signed in either way: %s',
    async (method) => {
      for (const left of leftInQuery) {
        const url = `http://127.0.0.1:${service.port}/api/v1/test/echoes/a?ids[]=1&search=${left}b${left}`;
        // The URL that `fetch` sends is the URL as it was written.
        expect(new URL(url).href).toBe(url);
        const [, query = ''] = url.split('?');
        const simple = {
          'x-auth-apikey': service.key.apiKey,
          'x-auth-signature': sign('sha256', Buffer.from(query), privateKey).toString('base64'),
        };
        const components = ['@method', '@authority', '@path', '@query'];
        for (const headers of [
          simple,
          signBound(privateKey, { method, url }),
          signBound(privateKey, { method, url }, { components }),
        ]) {
          const response = await fetch(url, { method, headers });
          expect(response.status).toBe(200);
          expect(await response.json()).toMatchObject({ data: { name: 'a', search: `${left}b${left}` } });
        }
        const braces = sign('sha256', Buffer.from('{}'), privateKey).toString('base64');
        const refused = await fetch(url, { method, headers: { ...simple, 'x-auth-signature': braces } });
        expect(refused.status).toBe(401);
      }
      expect((await send('/api/v1/test/echoes/a?{}', '{}', method)).status).toBe(401);
    },
  );

  it('is accepted in the absolute form, with the same meaning', async () => {
    for (const origin of ['http://shop.example', 'HTTPS://shop.example:8443', 'http://']) {
      const response = await send(`${origin}/api/v1/test/echoes/a?search=b`, 'search=b');
      expect(readJson(response).data).toEqual({ name: 'a', search: 'b' });
    }
    expect((await send('http://shop.example', '{}')).status).toBe(302);
    for (const target of ['shop.example/', '*', 'ftp://shop.example/', 'http:/api/v1/planets']) {
      expect([target, (await send(target, '{}')).status]).toEqual([target, 400]);
    }
  });

  it('is read in the same way by router, guard and handler', async () => {
    const base = '/api/v1/test/echoes/';
    const fragment = fc.oneof(
      fc.constantFrom('search', 'take', '=', '&', '?', '#', '/', ';', '+', '%', '%3F', '%23', '%26', '%3D'),
      fc.constantFrom(
        '%2F',
        '%25',
        '%C3%BC',
        '%ff',
        '%00',
        '%E2%82',
        '\\',
        '{}',
        '[',
        ']',
        '"',
        '|',
        '@',
        '..',
      ),
      fc.string({
        maxLength: 4,
        unit: fc.integer({ min: 0x21, max: 0xff }).map((c) => String.fromCharCode(c)),
      }),
    );
    const targets = fc
      .tuple(
        fc.constantFrom(base, `/api/v1${base}`, `http://shop.example${base}`),
        fc.array(fragment, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', '?', '?search=', '#search=', '?take=1&'),
        fc.array(fragment, { maxLength: 8 }),
      )
      .map(([prefix, path, separator, rest]) => `${prefix}${path.join('')}${separator}${rest.join('')}`)
      .filter((target) => !target.includes('\x7f'))
      // Signed like a request without a query, and refused: see the test above.
      .filter((target) => !/^[^?]*\?{}$/.test(target));
    await fc.assert(
      fc.asyncProperty(targets, fc.constantFrom('GET', 'DELETE'), async (target, method) => {
        const originForm = target.replace('http://shop.example', '');
        const mark = originForm.indexOf('?');
        const query = mark === -1 ? '' : originForm.slice(mark + 1);
        const unsigned = await send(target, '{}', method);
        const signed = await send(target, query || '{}', method);
        if (!validTarget.test(originForm)) {
          expect([unsigned.status, signed.status]).toEqual([400, 400]);
          return;
        }
        // 400: a path that is not UTF-8, a repeated name or a NUL. 404: another path.
        expect([200, 400, 404]).toContain(signed.status);
        if (signed.status !== 200) return;
        const read = readJson(signed).data;
        const expected = new URLSearchParams(`?${query}`);
        expect([read.search, read.take]).toEqual([
          expected.get('search') || undefined,
          expected.get('take') || undefined,
        ]);
        // A signature over `{}` opens exactly the requests without a query.
        expect(unsigned.status).toBe(query === '' ? 200 : 401);
      }),
      { numRuns: scaled(100) },
    );
  });
});
