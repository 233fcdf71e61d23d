import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawConnection, type RawResponse } from '../../../../fuzz/src/raw-connection.ts';
import { startTestApp, type TestApp, testRouter } from '../../../../test/support/test-app.ts';
import { testOperation } from '../../../../test/support/test-operation.ts';

const maximumResponseBytes = 16 * 1024;
const bodyLimitBytes = 1024 * 1024;

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({}, (app, database) => {
    testRouter(app, database).add(
      testOperation({
        method: 'POST',
        path: '/test/carts/{cartId}',
        id: 'createCart',
        status: 201,
        bodyLimitBytes,
        parameters: Type.Object({ cartId: Type.String({ pattern: '^[a-z]+$' }) }),
        query: Type.Object({ search: Type.Optional(Type.String({ maxLength: 5, pattern: '^[a-z]*$' })) }),
        body: Type.Object({
          items: Type.Array(
            Type.Object({ quantity: Type.Integer(), strainId: Type.String(), planet: Type.String() }),
            { maxItems: 100, uniqueItems: true },
          ),
          email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
        }),
        response: Type.Null(),
      }),
      () => null,
    );
  });
});
afterAll(() => service.close());

async function send(request: string | Buffer): Promise<RawResponse> {
  const connection = new RawConnection({ port: service.port });
  try {
    return await connection.exchange(request);
  } finally {
    connection.close();
  }
}

function post(body: string, target = '/api/v1/test/carts/a'): Promise<RawResponse> {
  return send(
    `POST ${target} HTTP/1.1\r\nhost: shop.example\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const issuesOf = ({ body }: RawResponse): string[] => JSON.parse(body.toString()).data;

/** Repeats a text until the body is as large as the service accepts. */
function fill(before: string, repeated: string, after: string): string {
  const count = Math.floor((bodyLimitBytes - before.length - after.length + 1) / (repeated.length + 1));
  return `${before}${Array.from({ length: count }, () => repeated).join(',')}${after}`;
}

describe('the response to a bad request', () => {
  it('does not look into a list that is too long', async () => {
    const response = await post(fill('{"items":[', '{}', ']}'));
    expect(response.status).toBe(400);
    expect(issuesOf(response)).toEqual(['items must have no more than 100 elements']);
  });

  it('does not look at the form of a text that is too long', async () => {
    expect(issuesOf(await post(`{"items":[],"email":"${'a@'.repeat(200_000)}"}`))).toEqual([
      'email must be shorter than or equal to 254 characters',
    ]);
    expect(issuesOf(await post('{"items":[]}', '/api/v1/test/carts/a?search=1234567'))).toEqual([
      'search must be shorter than or equal to 5 characters',
    ]);
  });

  it('reports at most 50 issues', async () => {
    const response = await post(JSON.stringify({ items: Array.from({ length: 100 }, () => ({})) }));
    expect(issuesOf(response)).toHaveLength(50);
    expect(issuesOf(response)[0]).toBe('items.0.quantity is required');
    const unstorable = JSON.stringify({ items: Array.from({ length: 100 }, () => '\0') });
    expect(issuesOf(await post(unstorable))).toHaveLength(50);
  });

  const longName = 'n'.repeat(100_000);
  const controls = '\\u0001'.repeat(20_000);
  it.each<[string, string]>([
    ['objects in a list', fill('{"items":[', '{}', ']}')],
    ['objects that are the body', fill('[', '{}', ']')],
    ['numbers that are the body', fill('[', '0', ']')],
    ['texts with NUL', fill('{"items":[', '"\\u0000"', ']}')],
    ['names with NUL', fill('{"items":[', '{"\\u0000":0}', ']}')],
    ['a long name that occurs twice', `{"${longName}":1,"${longName}":2}`],
    ['a long name of control characters that occurs twice', `{"${controls}":1,"${controls}":2}`],
    ['long names around a NUL', `{"${longName}":{"${longName}":["\\u0000"]}}`],
    [
      'control characters in names around NULs',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 60 }, (_, i) => ['\x01'.repeat(300) + i, '\0'])),
      ),
    ],
    [
      'pairs of surrogates',
      `{"${'\\ud83d\\ude00'.repeat(10_000)}":1,"${'\\ud83d\\ude00'.repeat(10_000)}":2}`,
    ],
  ])('has no more than 16 KiB for %s', async (_what, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.sizeBytes).toBeLessThanOrEqual(maximumResponseBytes);
    expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  const long = (length: number) => 'a'.repeat(length);
  it.each<[string, string, number]>([
    ['an unknown path', `GET /${long(15_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 404],
    ['a method that the path does not take', `PUT /docs/${long(15_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 405],
    [
      'a parameter that is too long',
      `GET /api/v1/dapp/orders/${long(15_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      404,
    ],
    ['a query', `GET /api/v1/dapp/strains?page=${long(15_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 400],
    ['a header', `GET / HTTP/1.1\r\nhost: a\r\nx-request-id: ${long(20_000)}\r\n\r\n`, 431],
  ])('has no more than 16 KiB for %s', async (_what, request, status) => {
    const response = await send(request);
    expect(response.status).toBe(status);
    expect(response.sizeBytes).toBeLessThan(4 * 1024);
  });
});
