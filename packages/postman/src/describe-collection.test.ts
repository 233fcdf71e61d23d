import { operationsOf, tags } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { describeCollection } from './describe-collection.ts';

const collection = describeCollection({ baseUrl: 'https://keyfront.example/api/v1', version: '1.0.0' });
const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
const { variable } = collection;

describe('the collection', () => {
  it('has a request for each operation that a person can send, in the folders of the reference', () => {
    const expected = operationsOf(false).filter(({ provider, upload }) => !provider && !upload);
    expect(requests).toHaveLength(expected.length);
    for (const { name } of collection.item) expect(tags).toHaveProperty(name);
  });

  it('names each variable that a request uses', () => {
    const names = variable.map(({ key }) => key);
    const used = [...JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining([...new Set(used)]));
    expect(new Set(names).size).toBe(names.length);
  });

  it('contains no secret, and leaves room for those of the environment', () => {
    for (const name of ['apiKey', 'secretKey', 'token'])
      expect(variable).toContainEqual({ key: name, value: '' });
  });

  it('signs what a key may call, and sends a token where only a wallet may', () => {
    const byName = (name: string) =>
      collection.item.flatMap(({ item }) => item).find((each) => each.name === name)?.request;
    expect(byName('List orders')).not.toHaveProperty('auth');
    expect(byName('List orders')?.url.raw).toBe('{{baseUrl}}/dapp/orders?status=PENDING&take=10');
    expect(byName('Request a nonce')).toMatchObject({ auth: { type: 'noauth' } });
    expect(byName('List the orders of the platform')).toMatchObject({ auth: { type: 'bearer' } });
    expect(byName('Get an order')?.url.path).toEqual(['dapp', 'orders', '{{orderId}}']);
  });

  it('has a script that is valid JavaScript', () => {
    const [event] = collection.event;
    expect(() => new Function('pm', 'require', event?.script.exec.join('\n') ?? '(')).not.toThrow();
  });
});
