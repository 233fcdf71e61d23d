import type { Client, OrderPage, OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { followEvents } from '../../support/event-data.ts';
import { dataOf, openStorefront, type TestHolder } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, sql } = await openStorefront();
const { id: strainId } = await insertStrain(sql, { stock: 1_000 });

async function place(further: object = {}, caller: TestHolder = holder) {
  const { id: clientId } = await insertClient(sql, caller.tokenId);
  const body = { clientId, items: [{ strainId, quantity: 1 }], ...further };
  return caller.ask('POST', '/dapp/orders', { body });
}
const placed = async (further: object = {}, caller: TestHolder = holder) =>
  dataOf<OrderWithLines>(await place(further, caller));
const change = (id: string, body: object, caller: TestHolder = holder) =>
  caller.ask('PATCH', `/dapp/orders/${id}`, { body });
const listed = async (reference: string, caller: TestHolder = holder) =>
  dataOf<OrderPage>(
    await caller.ask('GET', `/dapp/orders?externalReference=${encodeURIComponent(reference)}`),
  ).orders.map(({ id }) => id);
const reference = () => `shop ${crypto.randomUUID()}`;

describe('the reference of an order', () => {
  it('finds the order, and is taken for others of the digital key only', async () => {
    const externalReference = reference();
    const order = await placed({ externalReference });
    expect(order.externalReference).toBe(externalReference);
    expect(await listed(externalReference)).toEqual([order.id]);
    expect((await place({ externalReference })).envelope).toMatchObject({
      statusCode: 409,
      code: 'REFERENCE_TAKEN',
    });
    for (const caller of [sibling, stranger]) {
      expect(await listed(externalReference, caller)).toEqual([]);
      const other = await placed({ externalReference }, caller);
      expect(await listed(externalReference, caller)).toEqual([other.id]);
    }
    expect(await listed(externalReference)).toEqual([order.id]);
  });

  it('is given to one of twenty orders that are placed at once', async () => {
    const externalReference = reference();
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const body = { clientId, items: [{ strainId, quantity: 1 }], externalReference };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => holder.ask('POST', '/dapp/orders', { body })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
    expect(await listed(externalReference)).toHaveLength(1);
  });

  it('changes, goes and is free again; an order without one takes none from another', async () => {
    const [one, other] = [await placed(), await placed()];
    const externalReference = reference();
    expect(dataOf(await change(one.id, { externalReference }))).toMatchObject({ externalReference });
    expect((await change(other.id, { externalReference })).envelope.code).toBe('REFERENCE_TAKEN');
    expect(dataOf(await change(one.id, { externalReference: '' }))).toMatchObject({ externalReference: '' });
    expect(dataOf(await change(other.id, { externalReference }))).toMatchObject({ externalReference });
  });

  it('has at most 100 characters, and a filter at least one', async () => {
    expect((await place({ externalReference: 'x'.repeat(101) })).status).toBe(400);
    expect((await holder.ask('GET', '/dapp/orders?externalReference=')).status).toBe(400);
  });
});

describe('metadata', () => {
  it('of an order is merged, null removes a name, and an event tells the change', async () => {
    const log = followEvents(holder, 'order.*');
    await log.readOn();
    const order = await placed({ metadata: { a: '1', b: '2', gone: null } });
    expect(order.metadata).toEqual({ a: '1', b: '2' });
    const changed = dataOf<OrderWithLines>(await change(order.id, { metadata: { b: null, c: '' } }));
    expect(changed.metadata).toEqual({ a: '1', c: '' });
    // The same again is no event.
    dataOf(await change(order.id, { metadata: { c: '' } }));
    const events = await log.waitFor('order.updated');
    expect(events.map(({ type, data, changes }) => [type, data.metadata, changes])).toEqual([
      ['order.created', { a: '1', b: '2' }, undefined],
      ['order.updated', { a: '1', c: '' }, { metadata: { from: { a: '1', b: '2' }, to: { a: '1', c: '' } } }],
    ]);
    const { orders } = dataOf<OrderPage>(await holder.ask('GET', '/dapp/orders?take=1'));
    expect(orders[0]?.metadata).toEqual({ a: '1', c: '' });
  });

  it('of a client is merged in the same way', async () => {
    const { id } = await insertClient(sql, holder.tokenId);
    const patch = async (metadata: object) =>
      dataOf<Client>(await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { metadata } })).metadata;
    expect(await patch({ a: '1', b: '2' })).toEqual({ a: '1', b: '2' });
    expect(await patch({ a: null, c: '3' })).toEqual({ b: '2', c: '3' });
  });

  const names = (count: number, prefix = 'n') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 'x']));

  it.each<[object, string]>([
    [names(21), 'metadata must not have more than 20 names'],
    [{ ['n'.repeat(41)]: 'x' }, 'each name in metadata must be shorter than or equal to 40 characters'],
    [{ '': 'x' }, 'each name in metadata should not be empty'],
    [{ a: 'x'.repeat(501) }, 'metadata.a must be shorter than or equal to 500 characters'],
    [{ a: 1 }, 'metadata.a must be a string or null'],
    [{ a: { b: 'c' } }, 'metadata.a must be a string or null'],
  ])('is refused: %j', async (metadata, issue) => {
    const { id } = await placed();
    for (const reply of [await place({ metadata }), await change(id, { metadata })]) {
      expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
    }
  });

  it('has at most 20 names together with those it has', async () => {
    const { id } = await placed({ metadata: names(20) });
    const full = ['metadata must not have more than 20 names, with those it has'];
    expect((await change(id, { metadata: { more: 'x' } })).envelope.data).toEqual(full);
    expect((await change(id, { metadata: { n0: null, more: 'x' } })).status).toBe(200);
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const patch = (metadata: object) =>
      holder.ask('PATCH', `/dapp/clients/${clientId}`, { body: { metadata } });
    expect((await patch(names(20))).status).toBe(200);
    expect((await patch({ more: 'x' })).envelope.data).toEqual(full);
  });
});

it('changes a reference and cancels in one request, or does neither', async () => {
  const [one, other] = [await placed({ externalReference: reference() }), await placed()];
  const taken = { orderStatus: 'CANCELLED', externalReference: one.externalReference };
  expect((await change(other.id, taken)).status).toBe(409);
  expect(dataOf(await holder.ask('GET', `/dapp/orders/${other.id}`))).toMatchObject({
    orderStatus: 'PENDING',
  });
  const body = { orderStatus: 'CANCELLED', metadata: { why: 'changed my mind' } };
  expect(dataOf(await change(other.id, body))).toMatchObject(body);
});

it('belongs to the digital key of the order', async () => {
  const { id } = await placed();
  for (const caller of [sibling, stranger]) {
    expect((await change(id, { metadata: { a: 'b' } }, caller)).envelope.code).toBe('NOT_OWNED');
  }
});
