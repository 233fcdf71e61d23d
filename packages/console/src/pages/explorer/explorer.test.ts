import { spawnSync } from 'node:child_process';
import { operationList } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { describeService } from '../../../../server/src/openapi/describe-service.ts';
import { buildRequest } from './build-request.ts';
import { type OpenApi, readOperations } from './read-openapi.ts';
import { writeSamples } from './write-samples.ts';

const document = describeService({
  operations: operationList,
  baseUrl: 'https://shop.test/api/v1',
  stagingUrl: null,
}) as unknown as OpenApi;
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

  it('writes commands that a shell takes as they are meant, whatever was entered', () => {
    const text = `it's "$(touch x)" \`y\` \\ é`;
    const request = buildRequest(find('createClient'), { 'body.firstName': text });
    for (const sample of [
      writeSamples(request, 'https://shop.test/api/v1').curl,
      writeSamples(request, '').CLI,
    ]) {
      const script = sample.replace(/^(curl|keyfront)/, `printf '%s\\n'`);
      const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
      expect(stdout).toContain(JSON.stringify({ firstName: text }));
    }
  });
});
