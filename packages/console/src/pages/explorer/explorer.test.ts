import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { makeOpenApiDocument } from '../../../../server/src/http/docs/openapi-document.ts';
import { buildRequest } from './build-request.ts';
import { findObstacle } from './find-obstacle.ts';
import { listHeaders } from './list-headers.ts';
import { type OpenApi, readOperations } from './read-openapi.ts';
import { readReason } from './read-reason.ts';
import { writeSamples } from './write-samples.ts';

const document = (await makeOpenApiDocument('https://shop.test/api/v1')) as unknown as OpenApi;
const operations = readOperations(document);
const find = (id: string) => {
  const operation = operations.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
};

describe('the request explorer', () => {
  it('knows the inputs of every operation of the document', () => {
    expect(operations.length).toBeGreaterThan(50);
    const { fields } = find('addToCart');
    expect(fields.map(({ place, name, kind }) => `${place}.${name}: ${kind}`)).toEqual([
      'query.clientId: text',
      'body.clientId: text',
      'body.clientCartId: text',
      'body.cartItems: json',
      'body.items: json',
    ]);
    expect(find('listOrders').fields.find(({ name }) => name === 'status')?.values).toContain('SHIPPED');
    expect(find('createClient').fields.find(({ name }) => name === 'marketingConsent')).toMatchObject({
      kind: 'boolean',
    });
  });

  it('makes a request of what was entered', () => {
    const request = buildRequest(find('replaceCart'), {
      'path.cartId': 'a/b',
      'body.items': '[{"quantity":1}]',
    });
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/dapp/carts/a%2Fb',
      query: {},
      body: { items: [{ quantity: 1 }] },
      issues: [],
    });
    expect(buildRequest(find('replaceCart'), { 'body.items': '[' }).issues).toEqual([
      'cartId is part of the address',
      'items is not valid JSON',
    ]);
    expect(buildRequest(find('listOrders'), { 'query.search': 'é&', 'query.status': '' })).toMatchObject({
      query: { search: 'é&' },
      body: undefined,
    });
  });

  it('sends an empty text where the API requires a value and takes an empty one', () => {
    const empty = Object.fromEntries(
      find('exportOrders')
        .fields.filter(({ isRequired }) => isRequired)
        .map(({ name }) => [name, '']),
    );
    expect(Object.keys(empty)).toHaveLength(8);
    expect(buildRequest(find('exportOrders'), {})).toMatchObject({ query: empty, issues: [] });
    expect(find('exportOrders').fields.find(({ name }) => name === 'status')?.values).not.toContain('');
  });

  it('says which operations a page cannot send, and lets it send all others', () => {
    const blocked = operations.filter((operation) => findObstacle(operation) !== null);
    expect(blocked.map(({ id }) => id).toSorted()).toEqual(['reportKyc', 'reportPayment', 'uploadImage']);
    for (const operation of blocked) {
      const request = buildRequest(operation, {});
      expect(Object.keys(writeSamples(operation, request, ''))).toEqual(['curl']);
    }
  });

  it('lists every header of a request, and no token', () => {
    const headersOf = (id: string) => listHeaders(find(id), buildRequest(find(id), {}));
    expect(headersOf('createClient')).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': '<a new UUID>',
      authorization: 'Bearer <the token of your session>',
    });
    expect(Object.keys(headersOf('listOrders'))).toEqual(['accept', 'authorization']);
    expect(Object.keys(headersOf('signIn'))).toEqual(['accept', 'content-type']);
    expect(headersOf('reportKyc')).toHaveProperty('webhook-signature');
  });

  it('reads why a credential was not accepted', () => {
    expect(readReason('{"success":false,"reason":"the token has \\"ended\\""}')).toBe(
      'the token has "ended"',
    );
    expect(readReason('{"success":true,"data":null}')).toBeNull();
    expect(readReason('<html>')).toBeNull();
  });

  it('writes commands that a shell takes as they are meant, whatever was entered', () => {
    const text = `it's "$(touch x)" \`y\` \\ é`;
    const request = buildRequest(find('createClient'), { 'body.firstName': text });
    const { curl = '', CLI = '' } = writeSamples(find('createClient'), request, 'https://shop.test/api/v1');
    for (const sample of [curl, CLI]) {
      const script = sample.replace(/^(curl|keyfront)/, `printf '%s\\n'`);
      const { stdout } = spawnSync('bash', ['-c', script], {
        encoding: 'utf8',
        env: { ...process.env, KEYFRONT_TOKEN: 'secret-token' },
      });
      expect(stdout).toContain(JSON.stringify({ firstName: text }));
      // Other users of the machine see the arguments of a program.
      expect(stdout).not.toContain('secret-token');
    }
  });
});
