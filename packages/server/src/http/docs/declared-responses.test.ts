import { operationList } from '@keyfront/protocol';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GuardedApp, startGuardedApp } from '../../../../../test/support/guarded-app.ts';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { createRateLimits } from '../../limits/rates/rate-limits.ts';
import { fixedHeaders } from '../fixed-headers.ts';
import { makeOpenApiDocument } from './openapi-document.ts';

let service: GuardedApp;
let token: string;
beforeAll(async () => {
  service = await startGuardedApp(
    undefined,
    createRateLimits({ counter: new MemoryCounter(), enabled: true }),
  );
  token = await service.signIn(service.ada);
});
afterAll(() => service.close());

const document = await makeOpenApiDocument('https://shop.test/api/v1', { isSandbox: true });

interface DeclaredResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

function findResponse(method: string, path: string, status: number): DeclaredResponse | undefined {
  const operation = document.paths[versionPrefix + path]?.[method.toLowerCase()];
  const response = (operation?.responses as Record<string, DeclaredResponse> | undefined)?.[status];
  if (response?.$ref === undefined) return response;
  const responses = document.components.responses as Record<string, DeclaredResponse>;
  return responses[response.$ref.split('/').at(-1) ?? ''];
}

/** Headers of HTTP itself, and those that every response of the service has. */
const everywhere = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'vary'],
  ...Object.keys(fixedHeaders),
]);

interface Request {
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const id = '019a8f3e-7c00-7000-8000-000000000001';
const json = { 'content-type': 'application/json' };
const exportAll = '?orderBy=&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
const idempotent = { ...json, 'idempotency-key': 'a name' };

it.each<[number, string, string, string, Request]>([
  [200, 'GET', '/keys', '', {}],
  [200, 'GET', '/orders/export', exportAll, { headers: { accept: 'text/csv' } }],
  [201, 'POST', '/keys', '', { body: '{"keyName":"Shop"}', headers: idempotent }],
  [400, 'GET', '/keys', '?page=0', {}],
  [401, 'GET', '/keys', '', { headers: { authorization: 'Bearer x' } }],
  [403, 'GET', '/admin/orders', '', {}],
  [404, 'DELETE', '/keys/{id}', '', {}],
  [413, 'DELETE', '/keys/{id}', '', { body: ' '.repeat(1_100_000), headers: json }],
  [415, 'DELETE', '/keys/{id}', '', { body: 'x', headers: { 'content-type': 'text/plain' } }],
  [422, 'POST', '/keys', '', { body: '{"keyName":"Other"}', headers: idempotent }],
])('declares the status and the headers of a %d of %s %s%s', async (status, method, path, query, request) => {
  const response = await service.app.inject({
    method: method as 'GET',
    url: versionPrefix + path.replace('{id}', id) + query,
    headers: { host: 'shop.test', authorization: `Bearer ${token}`, ...request.headers },
    ...(request.body === undefined ? {} : { payload: request.body }),
  });
  expect([response.statusCode, response.body]).toEqual([status, expect.anything()]);
  const declared = findResponse(method, path, status);
  expect(declared).toBeDefined();
  const undeclared = Object.keys(response.headers).filter(
    (name) => !everywhere.has(name) && !Object.keys(declared?.headers ?? {}).includes(name),
  );
  expect(undeclared).toEqual([]);
});

it('declares the errors of a request that has not reached its operation', () => {
  for (const { method, path } of operationList) {
    for (const status of [400, 408, 417, 431]) {
      expect([method, path, findResponse(method, path, status)]).toEqual([method, path, expect.anything()]);
    }
  }
});
