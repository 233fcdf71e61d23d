import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode } from '@keyfront/protocol';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import {
  refuseEverybody,
  startTestApp,
  type TestApp,
  testRouter,
} from '../../../../test/support/test-app.ts';
import { runSql } from '../../../../test/support/test-database.ts';
import { testOperation } from '../../../../test/support/test-operation.ts';
import { defaultTimeouts } from './server-options.ts';

const json = ['--header', 'content-type: application/json'];

let service: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-responses-'));
  service = await startTestApp({}, (app, database) => {
    const router = testRouter(app, database);
    router.add(
      testOperation({ method: 'GET', path: '/test/throws', id: 'throws', response: Type.Null() }),
      () => {
        throw new Error('secret internals of /some/path and SELECT 1');
      },
    );
    router.add(
      testOperation({
        method: 'POST',
        path: '/test/things/{thingId}',
        id: 'createThing',
        status: 201,
        parameters: Type.Object({ thingId: Type.String({ format: 'uuid' }) }),
        query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
        body: Type.Object({
          email: Type.String({ format: 'email' }),
          clientId: Type.String({ minLength: 1 }),
          stage: Type.Optional(Type.Enum(['LEADS', 'ONGOING', 'CLOSED'])),
          items: Type.Optional(
            Type.Array(Type.Object({ quantity: Type.Integer({ minimum: 1, maximum: 1000 }) }), {
              maxItems: 3,
            }),
          ),
        }),
        response: Type.Object({ email: Type.String() }),
      }),
      // More than the schema names. None of it may be sent.
      ({ body }) => ({ ...body, password: 'hidden' }),
    );
  });
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const thingUrl = () => `${service.origin}/api/v1/test/things/019a8f3e-7c00-7000-8000-000000000001`;

/** Sends raw bytes and reads until the server closes the connection. */
function sendRaw(text: string, port = service.port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

function bodyOf(raw: string): unknown {
  return JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4));
}

describe('a success', () => {
  it('has the envelope, and only the fields of its schema', async () => {
    const response = await curl(...json, '--data', '{"email":"a@b.example","clientId":"c"}', thingUrl());
    expect(response.status).toBe(201);
    expect(response.text).toBe(
      '{"success":true,"statusCode":201,"message":"Success","data":{"email":"a@b.example"}}',
    );
  });

  it('is identical under the doubled prefix', async () => {
    const single = await curl(`${service.origin}/api/v1/public/healthStatus`);
    const doubled = await curl(`${service.origin}/api/v1/api/v1/public/healthStatus`);
    expect(single.text).toBe('{"success":true,"statusCode":200,"message":"Success","data":"Success"}');
    expect(doubled.text).toBe(single.text);
    expect(doubled.status).toBe(200);
    expect((await curl(`${service.origin}/api/v1/api/v1/api/v1/public/healthStatus`)).status).toBe(404);
  });
});

describe('every response', () => {
  it('has the security headers and does not reveal the framework', async () => {
    for (const path of ['/api/v1/public/healthStatus', '/api/v1/nowhere', '/api/v1/test/throws', '/%zz']) {
      const { headers } = await curl(service.origin + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('access-control-allow-origin')).toBe(false);
    }
  });

  it('repeats a valid request id of the caller, and creates one otherwise', async () => {
    const url = `${service.origin}/api/v1/public/healthStatus`;
    expect((await curl('--header', 'x-request-id: trace-42.a_b', url)).headers.get('x-request-id')).toBe(
      'trace-42.a_b',
    );
    for (const invalid of ['has spaces', '"quoted"', 'a'.repeat(129), '<script>']) {
      const id = (await curl('--header', `x-request-id: ${invalid}`, url)).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
  });
});

describe('an error', () => {
  const codesByStatus: Readonly<Record<number, ErrorCode>> = {
    400: 'MALFORMED_REQUEST',
    401: 'TOKEN_INVALID',
    404: 'ROUTE_NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    415: 'UNSUPPORTED_MEDIA_TYPE',
    417: 'EXPECTATION_FAILED',
    431: 'HEADERS_TOO_LARGE',
    500: 'INTERNAL_ERROR',
    503: 'UNAVAILABLE',
  };
  const expectError = (status: number, response: Awaited<ReturnType<typeof curl>>, message: string) => {
    const code = codesByStatus[status];
    const reason = status === 401 ? { reason: expect.any(String) } : {};
    expect(response.json).toEqual({
      success: false,
      statusCode: status,
      code,
      message,
      ...reason,
      data: null,
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  };

  it('is 404 for an unknown route with any method and body', async () => {
    const url = `${service.origin}/api/v1/nowhere?x=1`;
    expectError(404, await curl(url), 'Cannot GET /api/v1/nowhere');
    expectError(
      404,
      await curl('--header', 'content-type: text/plain', '--data', 'x', url),
      'Cannot POST /api/v1/nowhere',
    );
    expectError(404, await curl(`${service.origin}/nowhere`), 'Cannot GET /nowhere');
  });

  it('is 405 with Allow for a route with other methods', async () => {
    const response = await curl('--request', 'DELETE', `${service.origin}/api/v1/planets`);
    expectError(405, response, 'Cannot DELETE /api/v1/planets: it takes GET, HEAD');
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await curl('--request', 'GET', thingUrl())).headers.get('allow')).toBe('POST');
    expectError(
      405,
      await curl('--request', 'TRACE', `${service.origin}/api/v1/planets`),
      'Cannot TRACE /api/v1/planets: it takes GET, HEAD',
    );
  });

  it('is 400 for malformed JSON', async () => {
    for (const body of ['{"email":', 'undefined', "{'a':1}", '{"a":1}}', '\u00ff{']) {
      const response = await curl(...json, '--data-binary', body, thingUrl());
      expect(response.json).toEqual({
        success: false,
        statusCode: 400,
        code: 'VALIDATION_FAILED',
        message: 'Validation failed',
        data: ['body must be valid JSON'],
      });
    }
  });

  it('is 413 for a body over 16 KiB, but not for one of exactly 16 KiB', async () => {
    const large = join(folder, 'large.json');
    await writeFile(large, JSON.stringify('x'.repeat(16 * 1024)));
    expectError(
      413,
      await curl(...json, '--data-binary', `@${large}`, thingUrl()),
      'The body is larger than 16 KiB',
    );
    const chunked = ['--header', 'transfer-encoding: chunked'];
    expectError(
      413,
      await curl(...json, ...chunked, '--data-binary', `@${large}`, thingUrl()),
      'The body is larger than 16 KiB',
    );
    const fitting = join(folder, 'fitting.json');
    const rest = '{"email":"a@b.example","clientId":""}'.length;
    await writeFile(fitting, `{"email":"a@b.example","clientId":"${'x'.repeat(16 * 1024 - rest)}"}`);
    expect((await curl(...json, '--data-binary', `@${fitting}`, thingUrl())).status).toBe(201);
  });

  it('is 415 for an encoded body, also if it only says so', async () => {
    const json = ['--header', 'content-type: application/json', '--data', '{}'];
    const refused = await curl('--header', 'content-encoding: gzip', ...json, thingUrl());
    expectError(415, refused, 'The body must be sent without a content-encoding');
    expect(refused.headers.get('accept-encoding')).toBe('identity');
    const plain = await curl('--header', 'content-encoding: identity', ...json, thingUrl());
    expect(plain.status).not.toBe(415);
  });

  it('is 415 for a body that is not JSON', async () => {
    const message = 'The body must be sent as application/json';
    expectError(415, await curl('--header', 'content-type: text/plain', '--data', '{}', thingUrl()), message);
    expectError(415, await curl('--data', 'a=b', thingUrl()), message);
    expectError(415, await curl('--form', 'a=b', thingUrl()), message);
    expectError(415, await curl('--header', 'content-type;', '--data', '{}', thingUrl()), message);
  });

  it('is 431 for headers or a URL that are too large', async () => {
    const message = 'The request line and headers are larger than 16 KiB';
    expectError(431, await curl('--header', `x-large: ${'x'.repeat(20_000)}`, thingUrl()), message);
    expectError(431, await curl(`${service.origin}/api/v1/planets?${'x'.repeat(20_000)}`), message);
  });

  it('is 500 for a handler that throws, and reveals no details', async () => {
    const response = await curl(`${service.origin}/api/v1/test/throws`);
    expectError(500, response, 'Internal server error');
    expect(service.logLines.join('')).toContain('secret internals');
  });

  it('is 400 for a URL that cannot be decoded', async () => {
    const message = 'The URL is not valid: characters that the URL standard encodes must be percent-encoded';
    for (const path of ['/api/v1/%zz', '/api/v1/dapp/orders/%zz', '/api/v1/dapp/orders/%ff'])
      expectError(400, await curl(service.origin + path), message);
  });

  it('is 417 for an unknown expectation', async () => {
    expectError(
      417,
      await curl('--header', 'expect: magic', `${service.origin}/api/v1/planets`),
      'The only supported expectation is 100-continue',
    );
  });

  it('is 405 for CONNECT', async () => {
    const response = await sendRaw('CONNECT shop.example:443 HTTP/1.1\r\nhost: shop.example\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(response).toMatch(/\r\nallow: GET, HEAD, POST, PATCH, DELETE\r\n/);
    expect(bodyOf(response)).toEqual({
      success: false,
      statusCode: 405,
      code: 'METHOD_NOT_ALLOWED',
      message: 'This service is not a proxy',
      data: null,
    });
  });

  it('is 400 for data that is not HTTP, and for HTTP/1.1 without a host', async () => {
    for (const raw of ['NONSENSE\r\n\r\n', 'GET /api/v1/planets HTTP/1.1\r\nconnection: close\r\n\r\n']) {
      const response = await sendRaw(raw);
      expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(response).toMatch(/\r\nx-request-id: \S+\r\n/);
      expect(bodyOf(response)).toEqual({
        success: false,
        statusCode: 400,
        code: 'MALFORMED_REQUEST',
        message: 'The request is not valid HTTP',
        data: null,
      });
    }
  });

  it('is 408 for a client that sends its headers or its body too slowly', async () => {
    const timeouts = { ...defaultTimeouts, headersMs: 300, requestMs: 400, checkIntervalMs: 50 };
    const impatient = await startTestApp({ timeouts });
    try {
      for (const raw of [
        'GET /api/v1/planets HTTP/1.1\r\nhost: x\r\nx-slow: ',
        'POST /api/v1/auth/nonce HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
      ]) {
        const response = await sendRaw(raw, impatient.port);
        expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        expect(bodyOf(response)).toEqual({
          success: false,
          statusCode: 408,
          code: 'REQUEST_TIMEOUT',
          message: 'The request took too long to arrive',
          data: null,
        });
      }
    } finally {
      await impatient.close();
    }
  });

  it('is 401 with the message of the route, before anything is validated', async () => {
    const closed = await startTestApp({ guard: refuseEverybody });
    try {
      expectError(401, await curl(`${closed.origin}/api/v1/dapp/strains?page=0`), 'User is not authorized');
    } finally {
      await closed.close();
    }
  });

  it('is 503 with Retry-After while the database is unavailable', { tags: ['long'] }, async () => {
    const unavailable = await startTestApp();
    const url = `${unavailable.origin}/api/v1/planets`;
    const name = new URL(unavailable.ownerUrl).pathname.slice(1);
    const maintenance = new URL(unavailable.ownerUrl);
    maintenance.pathname = '/postgres';
    try {
      expect((await curl(url)).status).toBe(200);
      await runSql(maintenance.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await runSql(
        maintenance.href,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      const response = await curl(url);
      expectError(503, response, 'The service is unavailable at the moment: try again soon');
      expect(response.headers.get('retry-after')).toBe('2');
      expectError(
        503,
        await curl(`${unavailable.origin}/health/ready`),
        'The service is unavailable at the moment: try again soon',
      );
      expect((await curl(`${unavailable.origin}/health/live`)).status).toBe(200);
      await runSql(maintenance.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      expect((await curl(url)).status).toBe(200);
      // Readiness is checked at most once a second.
      const readReadiness = async () => (await curl(`${unavailable.origin}/health/ready`)).json;
      await expect.poll(readReadiness).toMatchObject({ success: true, data: 'ready' });
    } finally {
      await unavailable.close();
    }
  });
});

describe('validation', () => {
  const readIssues = async (...args: string[]): Promise<unknown> => {
    const response = await curl(...args);
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
    });
    return (response.json as { data: unknown }).data;
  };

  it('reports all issues of path, query and body at once', async () => {
    const body =
      '{"email":"nobody","clientId":"","stage":"OPEN","items":[{"quantity":0},{"quantity":"5"},{}]}';
    expect(
      await readIssues(...json, '--data', body, `${service.origin}/api/v1/test/things/7?page=0`),
    ).toEqual([
      'thingId must be a UUID',
      'page must not be less than 1',
      'email must be an email',
      'clientId should not be empty',
      'stage must be one of the following values: LEADS, ONGOING, CLOSED',
      'items.0.quantity must not be less than 1',
      'items.1.quantity must be an integer number',
      'items.2.quantity is required',
    ]);
  });

  it('reports missing fields if there is no body', async () => {
    const expected = ['email is required', 'clientId is required'];
    expect(await readIssues('--request', 'POST', thingUrl())).toEqual(expected);
    expect(await readIssues('--request', 'POST', ...json, thingUrl())).toEqual(expected);
  });

  it.each([
    ['null', 'body must be an object'],
    ['[]', 'body must be an object'],
    ['"text"', 'body must be an object'],
    ['{"a":1,"a":2}', 'body must not contain the name "a" twice'],
    ['{"a":{"b":1,"\\u0062":2}}', 'body must not contain the name "b" twice'],
    ['{"__proto__":{"isAdmin":true}}', 'body must not contain the name __proto__'],
    ['{"email":"a\\u0000@b.example"}', 'email must not contain NUL or unpaired surrogates'],
    ['{"clientId":"\\ud800"}', 'clientId must not contain NUL or unpaired surrogates'],
    [`{"list":[${Array(2_000).fill('{"":0}').join()}]}`, 'body must not contain more than 2000 names'],
    // Not JSON, and without the end of a string.
    [`{"a":"${'\\"'.repeat(6_000)}`, 'body must be valid JSON'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'body must not be nested deeper than 32 levels'],
  ])('rejects the body %s', async (body, issue) => {
    expect(await readIssues(...json, '--data-binary', body, thingUrl())).toContain(issue);
  });

  it('rejects a body that is not UTF-8', async () => {
    const file = join(folder, 'latin1.json');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('{"clientId":"'), Buffer.from([0xe9, 0xff]), Buffer.from('"}')]),
    );
    expect(await readIssues(...json, '--data-binary', `@${file}`, thingUrl())).toEqual([
      'body must be UTF-8',
    ]);
  });

  it('accepts the same name in different objects, and a colon in a string', async () => {
    const body =
      '{"email":"a@b.example","clientId":"\\"a\\":1,\\"a\\":2","items":[{"quantity":1},{"quantity":1}]}';
    expect((await curl(...json, '--data-binary', body, thingUrl())).status).toBe(201);
  });

  it.each([
    ['page=0', 'page must not be less than 1'],
    ['page=x', 'page must be an integer number'],
    ['page=', 'page should not be empty'],
    ['page=-1', 'page must not be less than 1'],
    ['page=1.0', 'page must be an integer number'],
    ['page=%201', 'page must be an integer number'],
    ['page=0x1', 'page must be an integer number'],
    ['page=1&page=2', 'page must not be given more than once'],
    ['page=9007199254740993', 'page must not be greater than 2147483647'],
    ['take=1.5', 'take must be an integer number'],
    ['take=1e2', 'take must be an integer number'],
    ['take=1001', 'take must not be greater than 1000'],
    ['limit=0', 'limit must not be less than 1'],
    ['search=%00', 'search must not contain NUL or unpaired surrogates'],
  ])('rejects the query %s', async (query, issue) => {
    expect(await readIssues(`${service.origin}/api/v1/dapp/strains?${query}`)).toEqual([issue]);
  });

  it('ignores unknown query parameters', async () => {
    expect((await curl(`${service.origin}/api/v1/dapp/strains?colour=blue&__proto__=1`)).status).toBe(200);
  });

  it('responds to random bytes with 400', async () => {
    for (let round = 0; round < 20; round++) {
      const file = join(folder, 'noise');
      await writeFile(
        file,
        createHash('shake256', { outputLength: 1 + round * 50 })
          .update(`${round}`)
          .digest(),
      );
      const response = await curl(...json, '--data-binary', `@${file}`, thingUrl());
      expect(response.status).toBe(400);
    }
  });
});
