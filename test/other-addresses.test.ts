import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Client, OrderPage, OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { routeAliases } from '../packages/server/src/boot/route-aliases.ts';
import { findOperation, openOperationRequests } from './support/operation-requests.ts';
import { insertOrder, insertReadyClient } from './support/order-data.ts';
import { dataOf, issuesOf, openSandbox, type Reply, type TestCaller } from './support/storefront.ts';
import { insertStrain, unknownId } from './support/storefront-data.ts';

const storefront = await openSandbox();
const { holder, sibling, stranger, nobody, sql } = storefront;
const requests = await openOperationRequests(storefront, 1);

const expectLink = ({ headers }: Reply, canonical: string) => {
  expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect(headers.get('link')).toBe(`</api/v1${canonical}>; rel="successor-version"`);
};
const isList = (operation: string) => 'take' in (findOperation(operation).query?.properties ?? {});
const countParameters = (path: string) => path.split('{').length - 1;
const simple = routeAliases.filter(
  ({ path, operation }) => countParameters(path) === countParameters(findOperation(operation).path),
);

it.each(simple.map((address) => [address.method, address.path, address] as const))(
  '%s %s does what its operation does',
  async (_method, _path, address) => {
    const { path, status } = findOperation(address.operation);
    const send = await requests.prepare(address.operation, { address });
    const reply = await send();
    expect([reply.status, reply.envelope.success]).toEqual([status, true]);
    expect(reply.headers.get('deprecation')).toMatch(/^@\d{10}$/);
    const canonical = path.replace(/\{\w+\}/, '[0-9a-f-]{36}');
    expect(reply.headers.get('link')).toMatch(new RegExp(`^</api/v1${canonical}>; rel="successor-version"$`));
  },
);

it.each(
  simple.filter(({ method }) => method === 'GET').map(({ path, operation }) => [path, operation] as const),
)('GET %s returns the same as its operation', async (path, operation) => {
  const canonical = findOperation(operation).path;
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  const [cart] = await sql<{ id: string; strain_id: string }>(
    'SELECT id, strain_id FROM carts JOIN cart_items ON cart_id = carts.id WHERE client_id = $1',
    [clientId],
  );
  const order = dataOf<OrderWithLines>(
    await holder.ask('POST', '/dapp/orders', {
      body: { clientId: (await insertReadyClient(sql, holder.tokenId)).clientId },
    }),
  );
  const ids: Record<string, string> = {
    clientId,
    orderId: order.id,
    cartId: cart?.id ?? '',
    strainId: cart?.strain_id ?? '',
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '');
  const take = isList(operation) ? '?take=100' : '';
  const [there, here] = [
    await holder.ask('GET', fill(path)),
    await holder.ask('GET', fill(canonical) + take),
  ];
  expect(there.envelope).toEqual(here.envelope);
  expect(there.status).toBe(200);
  expectLink(there, fill(canonical));
  expect([here.headers.get('deprecation'), here.headers.get('link')]).toEqual([null, null]);
});

it.each(routeAliases.filter(({ operation }) => isList(operation)).map(({ path }) => path))(
  'GET %s returns 100 entries unless the request says otherwise',
  async (path) => {
    const { clientId } = await insertReadyClient(sql, holder.tokenId);
    const list = (query: string) => holder.ask('GET', path.replace('{clientId}', clientId) + query);
    for (const [query, take] of [
      ['', 100],
      ['?page=2', 100],
      ['?TAKE=5', 100],
      ['?take=5', 5],
      ['?limit=7', 7],
      ['?limit=7&take=7', 7],
      ['?take=1000', 1000],
    ] as const) {
      const { pageMetaDto } = dataOf<OrderPage>(await list(query));
      expect([query, pageMetaDto.take]).toEqual([query, take]);
    }
    for (const [query, issue] of [
      ['?take=', 'take should not be empty'],
      ['?take=0', 'take must not be less than 1'],
      ['?take=1001', 'take must not be greater than 1000'],
      ['?take=ten', 'take must be an integer number'],
      ['?take=5&take=5', 'take must not be given more than once'],
      ['?limit=7&take=8', 'limit must be the same as take'],
    ] as const)
      expect(issuesOf(await list(query))).toEqual([issue]);
  },
);

it('returns more entries than the address of the operation, and the same page from the cache', async () => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  for (let number = 0; number < 12; number++) await insertOrder(sql, holder.tokenId, clientId);
  const name = randomUUID();
  for (let number = 0; number < 11; number++) await insertStrain(sql, { name: `${name} ${number}` });
  const count = async (path: string, name: 'orders' | 'strains') =>
    dataOf<Record<string, unknown[]>>(await holder.ask('GET', path))[name]?.length;
  for (const path of ['/client', '/clients', '/dapp/client', '/dapp/clients'])
    expect([path, await count(`${path}/${clientId}/orders`, 'orders')]).toEqual([path, 12]);
  expect(await count(`/dapp/orders?clientId=${clientId}`, 'orders')).toBe(10);
  // Both are cached. Neither is served in place of the other.
  for (let time = 0; time < 2; time++) {
    expect(await count(`/dapp/strains?search=${name}`, 'strains')).toBe(10);
    expect(await count(`/strains?search=${name}`, 'strains')).toBe(11);
  }
});

const ordersOfClient = routeAliases
  .map(({ path }) => path)
  .filter((path) => path.endsWith('/{clientId}/orders'))
  .map((path) => path.replace('/{clientId}/orders', ''));

it.each(ordersOfClient)('GET %s/{clientId}/orders lists the orders of the client', async (path) => {
  const [one, other] = [
    await insertReadyClient(sql, holder.tokenId),
    await insertReadyClient(sql, holder.tokenId),
  ];
  for (const { clientId } of [one, other]) {
    dataOf(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  }
  const reply = await holder.ask('GET', `${path}/${one.clientId}/orders?take=5`);
  const { orders, pageMetaDto } = dataOf<OrderPage>(reply);
  expect(orders.map(({ client }) => client.id)).toEqual([one.clientId]);
  expect(pageMetaDto).toMatchObject({ take: 5, itemCount: 1 });
  expectLink(reply, `/dapp/orders?clientId=${one.clientId}`);
  // No filter of the query leads to the orders of the other client.
  const others = `${path}/${one.clientId}/orders?clientIds=${other.clientId}`;
  expect(dataOf<OrderPage>(await holder.ask('GET', others)).orders).toEqual([]);
  const twice = await holder.ask('GET', `${path}/${one.clientId}/orders?clientId=${other.clientId}`);
  expect(twice.envelope.data).toEqual(['clientId must not be given more than once']);
  expect((await holder.ask('GET', `${path}/7/orders`)).envelope.data).toEqual(['clientId must be a UUID']);
});

it.each(ordersOfClient)(
  'GET %s/{clientId}/orders lists nothing of a client who is not one of the digital key',
  async (path) => {
    const { clientId } = await insertReadyClient(sql, holder.tokenId);
    expect(dataOf<OrderPage>(await holder.ask('GET', `${path}/${clientId}/orders`)).orders).toEqual([]);
    for (const query of ['', '?take=5&page=2', '?status=PENDING']) {
      for (const caller of [stranger, sibling]) {
        const foreign = await caller.ask('GET', `${path}/${clientId}/orders${query}`);
        expect([foreign.status, foreign.envelope.code]).toEqual([403, 'NOT_OWNED']);
      }
      const unknown = await holder.ask('GET', `${path}/${unknownId}/orders${query}`);
      expect([unknown.status, unknown.envelope.message]).toEqual([404, 'Client not found']);
    }
    expect((await stranger.ask('GET', `${path}/${clientId.toUpperCase()}/orders`)).status).toBe(403);
  },
);

it('GET /dapp/clients/{clientId}/orders lists the orders of a client who was archived', async () => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  const order = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  dataOf(await holder.ask('DELETE', `/dapp/clients/${clientId}`));
  const { orders } = dataOf<OrderPage>(await holder.ask('GET', `/dapp/clients/${clientId}/orders`));
  expect(orders.map(({ id }) => id)).toEqual([order.id]);
  expect((await stranger.ask('GET', `/dapp/clients/${clientId}/orders`)).status).toBe(403);
});

it('GET /dapp/clients/{clientId}/orders/{orderId} finds an order of that client only', async () => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  const { clientId: otherId } = await insertReadyClient(sql, holder.tokenId);
  const order = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  const reply = await holder.ask('GET', `/dapp/clients/${clientId.toUpperCase()}/orders/${order.id}`);
  expect(dataOf<OrderWithLines>(reply).id).toBe(order.id);
  expectLink(reply, `/dapp/orders/${order.id}`);
  expect((await holder.ask('GET', `/dapp/clients/${otherId}/orders/${order.id}`)).status).toBe(404);
  expect((await stranger.ask('GET', `/dapp/clients/${clientId}/orders/${order.id}`)).status).toBe(403);
});

it.each(['/client', '/clients'])('POST %s creates a client of the digital key only', async (path) => {
  const contact = { firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` };
  const headers = { 'idempotency-key': randomUUID() };
  const reply = await holder.ask('POST', path, { body: contact, headers });
  expectLink(reply, '/dapp/clients');
  const { id } = dataOf<Client>(reply);
  const again = await holder.ask('POST', path, { body: contact, headers });
  expect([again.status, again.text]).toEqual([201, reply.text]);
  const taken = await holder.ask('POST', path, { body: contact });
  expect([taken.status, taken.envelope.code]).toEqual([409, 'EMAIL_TAKEN']);
  expect(dataOf<Client>(await holder.ask('GET', `/clients/${id}`))).toMatchObject(contact);
  expect((await sibling.ask('GET', `/clients/${id}`)).status).toBe(403);
});

it.each(
  routeAliases
    .filter(({ path }) => path.includes('{clientId}'))
    .map(({ method, path }) => [method, path] as const),
)('%s %s knows no client of another digital key', async (method, path) => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  const orderId = await insertOrder(sql, holder.tokenId, clientId);
  const ask = async (caller: TestCaller, id: string) => {
    const address = path.replace('{clientId}', id).replace('{orderId}', orderId);
    const hasBody = method === 'PUT' || method === 'PATCH';
    const { status } = await caller.ask(method, address, hasBody ? { body: { firstName: 'Mallory' } } : {});
    return status;
  };
  for (const caller of [stranger, sibling]) expect(await ask(caller, clientId)).toBe(403);
  expect(await ask(holder, unknownId)).toBe(404);
  for (const id of ['7', 'null', '%00', 'a'.repeat(10_000), `${clientId}'--`, '..%2f..']) {
    expect([400, 404]).toContain(await ask(holder, id));
  }
  const client = dataOf<Client>(await holder.ask('GET', `/dapp/clients/${clientId}`));
  expect(client.firstName).not.toBe('Mallory');
});

it('changes a client by PUT as by PATCH', async () => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  for (const [path, firstName] of [
    [`/dapp/clients/${clientId}`, 'Grace'],
    [`/clients/${clientId}`, 'Hedy'],
  ] as const) {
    const reply = await holder.ask('PUT', path, { body: { firstName } });
    expect(dataOf<Client>(reply)).toMatchObject({ id: clientId, firstName });
    expectLink(reply, `/dapp/clients/${clientId}`);
  }
});

it('sends the headers with an error too, and with nothing that could break them', async () => {
  const refused = await nobody.ask('GET', '/strains');
  expect(refused.status).toBe(401);
  expectLink(refused, '/dapp/strains');
  const invalid = await holder.ask('GET', '/orders/%0D%0Aset-cookie:%20a%3E');
  expect([invalid.status, invalid.headers.get('set-cookie')]).toEqual([400, null]);
  expectLink(invalid, '/dapp/orders/%0D%0Aset-cookie%3A%20a%3E');
});

it('is listed in the guide for existing storefronts, and nothing else is', async () => {
  const guide = await readFile(new URL('../docs/guides/existing-storefronts.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([A-Z]+ \/\S+)` \| `([A-Z]+ \/\S+)` \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const table = routeAliases.map(({ method, path, operation }) => {
    const { method: canonicalMethod, path: canonicalPath, query } = findOperation(operation);
    const moved = [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name = '']) => name)
      .filter((name) => Object.hasOwn(query?.properties ?? {}, name))
      .map((name) => `?${name}={${name}}`);
    return [`${method} ${path}`, `${canonicalMethod} ${canonicalPath}${moved.join('')}`];
  });
  expect(rows).toEqual(table);
});
