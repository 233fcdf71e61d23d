import { expect, it } from 'vitest';
import { type Collection, sendItem } from './support/postman-runner.ts';
import { openStorefront } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, service, sql } = await openStorefront();
const served = await fetch(`${service.origin}/api/v1/postman.json`);
const collection = (await served.json()) as Collection;
const signed = collection.item
  .flatMap(({ item }) => item)
  // A stream does not end.
  .filter(({ name, request }) => !request.auth && name !== 'Stream events');
const secretKey = Buffer.from(holder.secretKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
const keys = { apiKey: holder.apiKey, secretKey };

const itemOf = (name: string) => {
  const item = signed.find((each) => each.name === name);
  if (!item) throw new Error(`The collection has no ${name}`);
  return item;
};

it.each(signed.map((item) => [item.name, item] as const))(
  'Postman signs: %s',
  { tags: ['long'] },
  async (_name, item) => {
    const response = await sendItem(collection, item, keys);
    // Most examples name a resource of the demo.
    expect(response.status).not.toBe(401);
    expect(response.status).toBeLessThan(500);
    expect((await sendItem(collection, item, {})).status).toBe(401);
  },
);

it('Postman signs what is sent with all variables', async () => {
  const [client, strain] = await Promise.all([insertClient(sql, holder.tokenId), insertStrain(sql)]);
  const order = {
    clientId: '{{clientId}}',
    items: [{ strainId: strain.id, quantity: 1 }],
    note: 'größer 🌱',
  };
  const item = itemOf('Create an order');
  const request = { ...item.request, body: { raw: JSON.stringify(order) } };
  const created = await sendItem(collection, { ...item, request }, { ...keys, clientId: client.id });
  const { data } = (await created.json()) as { data: { id: string } };
  expect(data).toMatchObject({ client: { id: client.id }, note: order.note });
  const read = await sendItem(collection, itemOf('Get an order'), { ...keys, orderId: data.id });
  expect(await read.json()).toMatchObject({ data: { id: data.id } });
  const search = { ...itemOf('List strains').request };
  const url = { ...search.url, query: [{ key: 'search', value: `${strain.name} größer&take=5` }] };
  const listed = await sendItem(
    collection,
    { name: 'List strains', request: { ...search, url } },
    {
      apiKey: Buffer.from(keys.apiKey, 'base64').toString(),
      secretKey: String(Buffer.from(secretKey, 'base64')),
    },
  );
  expect(listed.status).toBe(200);
});

it('Postman says what is wrong with the secret key', async () => {
  const wrong = { ...keys, secretKey: keys.apiKey };
  expect(() => sendItem(collection, itemOf('List orders'), wrong)).toThrow(
    'secretKey is no secret key of Keyfront',
  );
});
