import { readFile } from 'node:fs/promises';
import type { Client, OrderPage, OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { routeAliases } from '../packages/server/src/boot/route-aliases.ts';
import { findOperation, openOperationRequests } from './support/operation-requests.ts';
import { insertReadyClient } from './support/order-data.ts';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';
import { unknownId } from './support/storefront-data.ts';

const storefront = await openStorefront();
const { holder, sibling, stranger, nobody, sql } = storefront;
const requests = await openOperationRequests(storefront, 1);

const expectLink = ({ headers }: Reply, canonical: string) => {
  expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect(headers.get('link')).toBe(`</api/v1${canonical}>; rel="successor-version"`);
};
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
  const [there, here] = [await holder.ask('GET', fill(path)), await holder.ask('GET', fill(canonical))];
  expect(there.envelope).toEqual(here.envelope);
  expect(there.status).toBe(200);
  expectLink(there, fill(canonical));
  expect([here.headers.get('deprecation'), here.headers.get('link')]).toEqual([null, null]);
});

it.each(['/dapp/client', '/dapp/clients'])(
  'GET %s/{clientId}/orders lists the orders of the client',
  async (path) => {
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
    const twice = await holder.ask('GET', `${path}/${one.clientId}/orders?clientId=${other.clientId}`);
    expect(twice.envelope.data).toEqual(['clientId must not be given more than once']);
    expect((await holder.ask('GET', `${path}/7/orders`)).envelope.data).toEqual(['clientId must be a UUID']);
  },
);

it.each(['/dapp/client', '/dapp/clients'])(
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
