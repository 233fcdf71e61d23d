import type { AdminClientDetails, AdminOrderDetails, DecisionResults } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openShipping } from '../../support/shipped-orders.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const storefront = await openStorefront();
const { holder, stranger, admin, sql } = storefront;
const { placeOrder } = openShipping(storefront);
const decide = async (noun: 'orders' | 'clients', body: object) =>
  dataOf<DecisionResults>(await admin.ask('POST', `/admin/${noun}/decisions`, { body })).results;
const readOrder = async (id: string) =>
  dataOf<AdminOrderDetails>(await admin.ask('GET', `/admin/orders/${id}`));
const readClient = async (id: string) =>
  dataOf<AdminClientDetails>(await admin.ask('GET', `/admin/clients/${id}`));
const did = (id: string, outcome: string) => ({ id, outcome, code: null, message: null });

it('says of each order what happened, and decides the others', async () => {
  const [pending, approved, cancelled, shipped] = [
    await placeOrder(null),
    await placeOrder({ adminApproval: 'VERIFIED' }),
    await placeOrder({ orderStatus: 'CANCELLED' }),
    await placeOrder({ adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' }),
  ];
  const ids = [pending.id.toUpperCase(), approved.id, cancelled.id, unknownId, pending.id];
  expect(await decide('orders', { adminApproval: 'VERIFIED', ids })).toEqual([
    did(pending.id, 'CHANGED'),
    did(approved.id, 'UNCHANGED'),
    {
      id: cancelled.id,
      outcome: 'REFUSED',
      code: 'ORDER_CLOSED',
      message: 'A cancelled order cannot be decided',
    },
    { id: unknownId, outcome: 'REFUSED', code: 'RESOURCE_NOT_FOUND', message: 'Order not found' },
  ]);
  const note = 'The payment could not be verified.';
  expect(await decide('orders', { adminApproval: 'REJECTED', note, ids: [pending.id, shipped.id] })).toEqual([
    did(pending.id, 'CHANGED'),
    {
      id: shipped.id,
      outcome: 'REFUSED',
      code: 'ORDER_TRANSITION_REFUSED',
      message: 'An order that is SHIPPED cannot become CANCELLED',
    },
  ]);
  expect(await pending.stock()).toEqual([10, 10]);
  expect(await readOrder(pending.id)).toMatchObject({ orderStatus: 'CANCELLED', rejectionNote: note });
  // Again is no change. Another reason would be a decision about a cancelled order.
  const again = { adminApproval: 'REJECTED', ids: [pending.id] };
  expect(await decide('orders', { ...again, note })).toEqual([did(pending.id, 'UNCHANGED')]);
  expect(await decide('orders', { ...again, note: 'Another' })).toMatchObject([{ code: 'ORDER_CLOSED' }]);
  expect(await readOrder(pending.id)).toMatchObject({ rejectionNote: note });
});

it('decides clients, and again without any change', async () => {
  const ids = [];
  for (let client = 0; client < 3; client++) {
    ids.push((await insertClient(sql, holder.tokenId, { adminApproval: 'PENDING' })).id);
  }
  const body = { adminApproval: 'REJECTED', note: 'The photo cannot be read.', ids };
  expect(await decide('clients', body)).toEqual(ids.map((id) => did(id, 'CHANGED')));
  expect(await decide('clients', body)).toEqual(ids.map((id) => did(id, 'UNCHANGED')));
  const [first = ''] = ids;
  const { history, rejectionNote } = await readClient(first);
  expect([rejectionNote, history.length]).toEqual([body.note, 1]);
});

it.each<[object, string]>([
  [{ adminApproval: 'VERIFIED', ids: [] }, 'ids should not be empty'],
  [{ adminApproval: 'VERIFIED', ids: Array(501).fill(unknownId) }, 'ids must have no more than 500 elements'],
  [{ adminApproval: 'VERIFIED', ids: ['x'] }, 'ids.0 must be a UUID'],
  [{ adminApproval: 'VERIFIED', ids: [unknownId], note: 'x' }, 'note needs adminApproval to be REJECTED'],
  [{ ids: [unknownId] }, 'adminApproval is required'],
])('rejects %#', async (body, issue) => {
  for (const noun of ['orders', 'clients']) {
    const { status, envelope } = await admin.ask('POST', `/admin/${noun}/decisions`, { body });
    expect([status, envelope.data]).toEqual([400, [issue]]);
  }
});

it('shows an administrator everything that a decision needs, and a holder nothing of it', async () => {
  const order = await placeOrder();
  const { read } = await placeOrder();
  await sql('UPDATE orders SET client_id = $2 WHERE id = $1', [(await read()).id, order.clientId]);
  const { orderDetails: _again, client: _contact, ...own } = await order.read();
  const details = await readOrder(order.id);
  expect(details).toMatchObject(own);
  expect(details.client).toMatchObject({
    id: order.clientId,
    adminApproval: 'VERIFIED',
    rejectionNote: null,
  });
  expect(details.history.map(({ adminApproval, author }) => [adminApproval, author])).toEqual([
    ['PENDING', 'HOLDER'],
    ['VERIFIED', 'ADMINISTRATOR'],
  ]);
  expect(details.otherOrders.map(({ id }) => id)).toEqual([(await read()).id]);
  expect((await readClient(order.clientId)).orders.map(({ id }) => id).sort()).toEqual(
    [order.id, (await read()).id].sort(),
  );
  expect(JSON.stringify([details, await readClient(order.clientId)])).not.toContain('medicalRecord');
  for (const path of [`/admin/orders/${order.id}`, `/admin/clients/${order.clientId}`]) {
    for (const caller of [holder.signedIn, stranger.signedIn]) {
      expect((await caller.ask('GET', path)).envelope.code).toBe('ADMINISTRATOR_REQUIRED');
    }
  }
});

it('takes effect once with an Idempotency-Key, and refuses the key for other decisions', async () => {
  const order = await placeOrder(null);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const send = (adminApproval: string) =>
    admin.ask('POST', '/admin/orders/decisions', { body: { adminApproval, ids: [order.id] }, headers });
  const first = await send('VERIFIED');
  expect(dataOf<DecisionResults>(first).results).toEqual([did(order.id, 'CHANGED')]);
  const again = await send('VERIFIED');
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect((await send('REJECTED')).envelope.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await readOrder(order.id)).adminApproval).toBe('VERIFIED');
});
