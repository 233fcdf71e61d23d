import type {
  ArchivedClient,
  CartPage,
  Client,
  ClientPage,
  ClientSummary,
  OrderPage,
  SalePage,
} from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, stranger, admin, sql } = await openStorefront();
const { tokenId } = holder;
const strain = await insertStrain(sql);

const archive = (id: string, query = '', caller: TestCaller = holder) =>
  caller.ask('DELETE', `/dapp/clients/${id}${query}`);
const get = async <Data>(path: string, caller: TestCaller = holder) =>
  dataOf<Data>(await caller.ask('GET', path));

/** A client with an order, a filled cart and a lead. */
async function insertShopper(person: { firstName?: string; email?: string } = {}) {
  const client = await insertClient(sql, tokenId, person);
  const items = [{ strainId: strain.id, quantity: 1 }];
  await insertCart(sql, tokenId, client.id, items);
  const order = dataOf<{ id: string }>(
    await holder.ask('POST', '/dapp/orders', { body: { clientId: client.id } }),
  );
  const cartId = await insertCart(sql, tokenId, client.id, items);
  dataOf(await holder.ask('POST', '/dapp/sales', { body: { clientId: client.id } }));
  return { ...client, orderId: order.id, cartId };
}

it('takes the client out of lists, searches, counts and carts', async () => {
  const { id, email } = await insertShopper({ firstName: 'Departing' });
  const before = await get<ClientSummary>('/dapp/clients/summary');
  const reply = await archive(id);
  expect(reply.status).toBe(200);
  expect(dataOf<ArchivedClient>(reply)).toEqual({
    id,
    archivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    erasedAt: null,
  });
  for (const [path, caller] of [
    ['/dapp/clients?take=1000', holder],
    ['/dapp/clients?search=Departing', holder],
    [`/dapp/clients?search=${email}&searchBy=email`, holder],
    ['/dapp/clients?search=De', holder],
    [`/admin/clients?take=1000&tokenId=${tokenId}`, admin],
    ['/admin/clients?search=Departing', admin],
  ] as const) {
    const page = await get<ClientPage>(path, caller);
    expect(page.clients.map((client) => client.id)).not.toContain(id);
    expect([path, page.pageMetaDto.itemCount]).toEqual([path, page.clients.length]);
  }
  const after = await get<ClientSummary>('/dapp/clients/summary');
  expect(after.total).toBe(before.total - 1);
  expect(after.summary.VERIFIED).toBe(before.summary.VERIFIED - 1);
  const carts = await get<CartPage>('/dapp/carts?take=1000');
  expect(carts.clients.map((client) => client.id)).not.toContain(id);
  expect(carts.pageMetaDto.itemCount).toBe(carts.clients.length);
});

it('keeps its orders, which still name the client', async () => {
  const { id, email, orderId } = await insertShopper();
  dataOf(await archive(id));
  const { orders } = await get<OrderPage>(`/dapp/orders?clientId=${id}`);
  expect(orders).toMatchObject([{ id: orderId, client: { id, firstName: 'Ada', email } }]);
});

it('closes its leads, and no other sale', async () => {
  const { id } = await insertShopper();
  dataOf(await holder.ask('POST', '/dapp/sales', { body: { clientId: id, stage: 'ONGOING' } }));
  dataOf(await archive(id));
  const { sales } = await get<SalePage>(`/dapp/sales?clientId=${id}`);
  expect(sales.map(({ stage, orderId }) => [stage, orderId !== null])).toEqual([
    ['ONGOING', false],
    ['CLOSED', false],
    ['ONGOING', true],
  ]);
});

describe('an archived client', () => {
  it('does not exist for any operation but the one that archives', async () => {
    const { id, cartId } = await insertShopper();
    dataOf(await archive(id));
    const cartItems = [{ strainId: strain.id, quantity: 1 }];
    for (const [caller, method, path, body] of [
      [holder, 'GET', `/dapp/clients/${id}`, undefined],
      [holder, 'PATCH', `/dapp/clients/${id}`, { firstName: 'Back' }],
      [holder, 'PATCH', `/dapp/clients/${id}/activate`, undefined],
      [holder, 'PATCH', `/dapp/clients/${id}/deactivate`, undefined],
      [holder, 'PATCH', `/dapp/clients/${id}/marketing-consent`, { marketingConsent: true }],
      [holder, 'POST', '/dapp/carts', { clientId: id, cartItems }],
      [holder, 'DELETE', `/dapp/carts/${cartId}`, undefined],
      [holder, 'POST', '/dapp/sales', { clientId: id }],
      [admin, 'PATCH', `/admin/clients/${id}`, { isActive: true }],
    ] as const) {
      const reply = await caller.ask(method, path, body ? { body } : {});
      expect([method, path, reply.status]).toEqual([method, path, 404]);
    }
  });

  it('cannot order', async () => {
    const { id } = await insertShopper();
    dataOf(await archive(id));
    const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
    expect(reply.status).toBe(404);
  });

  it('cannot order, however many checkouts and archivings run at once', async () => {
    const { id: clientId } = await insertShopper();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 2 ? archive(clientId) : holder.ask('POST', '/dapp/orders', { body: { clientId } }),
      ),
    );
    for (const { status } of replies) expect([200, 201, 403, 404]).toContain(status);
    const [late] = await sql<{ count: number }>(
      `SELECT count(*)::int FROM orders JOIN clients ON clients.id = client_id
       WHERE client_id = $1 AND orders.created_at > archived_at`,
      [clientId],
    );
    expect(late).toEqual({ count: 0 });
    expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
  });

  it('leaves its e-mail to another client', async () => {
    const { id, email } = await insertClient(sql, tokenId);
    dataOf(await archive(id));
    const body = { firstName: 'Next', lastName: 'Example', email };
    const next = dataOf<Client>(await holder.ask('POST', '/dapp/clients', { body }));
    expect(next.id).not.toBe(id);
    expect((await holder.ask('POST', '/dapp/clients', { body })).envelope.code).toBe('EMAIL_TAKEN');
    // And so may that one, any number of times.
    dataOf(await archive(next.id));
    dataOf(await holder.ask('POST', '/dapp/clients', { body }));
  });

  it('may be archived again, which changes nothing', async () => {
    const { id } = await insertClient(sql, tokenId);
    const first = dataOf<ArchivedClient>(await archive(id));
    expect(dataOf(await archive(id))).toEqual(first);
  });

  it('is not found by others', async () => {
    const { id } = await insertClient(sql, tokenId);
    dataOf(await archive(id));
    expect((await archive(id, '', stranger)).status).toBe(404);
  });
});

it('rejects a value of erase that it does not know, and archives nothing', async () => {
  const { id } = await insertClient(sql, tokenId);
  for (const query of ['?erase=1', '?erase=yes', '?erase=true&erase=false']) {
    expect((await archive(id, query)).status).toBe(400);
  }
  expect((await get<Client>(`/dapp/clients/${id}`)).id).toBe(id);
  // Without a value, or with false, it does not erase.
  for (const query of ['?erase=', '?erase=false']) {
    expect(dataOf<ArchivedClient>(await archive(id, query)).erasedAt).toBeNull();
  }
});
