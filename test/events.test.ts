import type {
  Client,
  CreatedClient,
  CreatedKey,
  Event,
  EventPage,
  NftSale,
  OrderDetails,
  OrderWithLines,
  Sale,
  Strain,
} from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { formatEventId } from '../packages/server/src/resources/events/event-id.ts';
import { followEvents } from './support/event-data.ts';
import { handIn, listSale } from './support/nft-sales.ts';
import { insertReadyClient } from './support/order-data.ts';
import { openPayments } from './support/payment-data.ts';
import { dataOf, openStorefront } from './support/storefront.ts';
import { insertClient, insertStrain, readClient } from './support/storefront-data.ts';
import { until } from './support/until.ts';

const storefront = await openStorefront();
const { holder, stranger, sibling, admin, providers, addDigitalKey, sql } = storefront;

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);
const eventOf = (events: readonly Event[], type: string): Event => {
  const [event, ...others] = events.filter((each) => each.type === type);
  if (!event || others.length > 0) throw new Error(`Not one event ${type}, but ${typesOf(events)}`);
  return event;
};
const own = (events: readonly Event[]) => events.filter(({ tokenId }) => tokenId !== null);

async function placeOrder(quantity = 2, stock = 10) {
  const { clientId, strainId } = await insertReadyClient(sql, holder.tokenId, { quantity, stock });
  const order = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  return { clientId, strainId, order };
}
const readOrder = async (id: string) =>
  dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${id}`)).orderDetails;
const changeOrder = async (id: string, body: object) =>
  dataOf(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));

it('reports the life of a client, with the client as it was at each moment', async () => {
  const log = followEvents(holder, 'client.*,sale.*');
  await log.readOn();
  const body = { firstName: 'Ada', lastName: 'Example', email: `ada-${holder.tokenId}@example.org` };
  const { client } = dataOf<CreatedClient>(await holder.ask('POST', '/dapp/clients', { body }));
  const created = await readClient(holder, client.id);
  dataOf(await holder.ask('PATCH', `/dapp/clients/${client.id}`, { body: { firstName: 'Adé' } }));
  // This changes nothing.
  dataOf(await holder.ask('PATCH', `/dapp/clients/${client.id}`, { body: { firstName: 'Adé' } }));
  dataOf(await admin.ask('PATCH', `/admin/clients/${client.id}`, { body: { adminApproval: 'VERIFIED' } }));
  const reference = new URL(client.kycLink ?? '').searchParams.get('reference') ?? '';
  dataOf(await providers.KYC.ask('POST', '/callbacks/kyc', { body: { reference, status: 'VERIFIED' } }));
  dataOf(await providers.KYC.ask('POST', '/callbacks/kyc', { body: { reference, status: 'REJECTED' } }));
  dataOf(await admin.ask('PATCH', `/admin/clients/${client.id}`, { body: { adminApproval: 'REJECTED' } }));
  const rejected = await readClient(holder, client.id);
  dataOf(await holder.ask('DELETE', `/dapp/clients/${client.id}`));

  const events = await log.waitFor('client.archived');
  expect(typesOf(events)).toEqual([
    'client.created',
    'sale.created',
    'client.updated',
    'client.approved',
    'client.kyc_verified',
    'client.kyc_rejected',
    'client.rejected',
    'client.archived',
    'sale.stage_changed',
  ]);
  const withoutLink = (shown: Client) => ({ ...shown, kycLink: null });
  const updated = eventOf(events, 'client.updated');
  expect(eventOf(events, 'client.created')).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-v]{29}$/),
    type: 'client.created',
    createdAt: created.createdAt,
    tokenId: holder.tokenId,
    data: withoutLink(created),
  });
  expect(updated.changes).toEqual({ firstName: { from: 'Ada', to: 'Adé' } });
  expect(updated.data).toEqual({ ...withoutLink(created), firstName: 'Adé', updatedAt: expect.any(String) });
  expect(eventOf(events, 'client.approved').changes).toEqual({
    adminApproval: { from: 'PENDING', to: 'VERIFIED' },
    approvedAt: { from: null, to: expect.any(String) },
  });
  expect(eventOf(events, 'client.kyc_verified').changes).toMatchObject({
    isKYCVerified: { from: false, to: true },
    kycStatus: { from: 'PENDING', to: 'VERIFIED' },
  });
  expect(eventOf(events, 'client.rejected').data).toEqual(withoutLink(rejected));
  // The link of the identity check lets whoever has it act as the client.
  expect(JSON.stringify(events)).not.toContain(reference);
});

it('reports that a medical record has changed, and nothing of its content', async () => {
  const log = followEvents(holder, 'client.*');
  await log.readOn();
  const contact = { firstName: 'Ada', lastName: 'Example', email: `record-${holder.tokenId}@example.org` };
  const medicalRecord = { dose: 'secret dose' };
  const { client } = dataOf<CreatedClient>(
    await holder.ask('POST', '/dapp/clients', { body: { ...contact, medicalRecord } }),
  );
  const change = async (body: object) =>
    dataOf(await holder.ask('PATCH', `/dapp/clients/${client.id}`, { body }));
  await change({ medicalRecord: { dose: 'another secret dose' } });
  const changed = await readClient(holder, client.id);
  await change({ medicalRecord: null });
  // There is none any more.
  await change({ medicalRecord: null });
  await change({ medicalRecord, title: 'Dr' });
  await change({ medicalRecord: null, title: 'Mx' });
  await change({ medicalRecord: null, title: '' });
  dataOf(await holder.ask('DELETE', `/dapp/clients/${client.id}`));

  const events = await log.waitFor('client.archived');
  const hidden = { medicalRecord: { from: 'NOT_SHOWN', to: 'NOT_SHOWN' } };
  expect(events.map(({ type, changes }) => [type, changes]).slice(0, -1)).toEqual([
    ['client.created', undefined],
    ['client.updated', hidden],
    ['client.updated', hidden],
    ['client.updated', { title: { from: '', to: 'Dr' }, ...hidden }],
    ['client.updated', { title: { from: 'Dr', to: 'Mx' }, ...hidden }],
    ['client.updated', { title: { from: 'Mx', to: '' } }],
  ]);
  expect(events[1]?.data).toEqual({ ...changed, kycLink: null });
  expect(JSON.stringify(events)).not.toMatch(/secret dose|ciphertext|medical_record/);
});

it('reports the life of an order, its payment, its sale and the stock', async () => {
  const log = followEvents(holder);
  await log.readOn();
  const { order, clientId, strainId } = await placeOrder(10, 10);
  await changeOrder(order.id, { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' });
  await changeOrder(order.id, { paymentStatus: 'PROCESSING' });
  await changeOrder(order.id, { paymentStatus: 'PAID' });
  const paid = await readOrder(order.id);
  // No change, and a change of the client that the earlier events do not show.
  await changeOrder(order.id, { paymentStatus: 'PAID' });
  dataOf(await holder.ask('PATCH', `/dapp/clients/${clientId}`, { body: { lastName: 'Later' } }));
  await changeOrder(order.id, { paymentStatus: 'REFUNDED', orderStatus: 'CANCELLED' });

  const events = await log.waitFor('strain.back_in_stock', 'order.cancelled');
  expect(typesOf(own(events))).toEqual([
    'client.created',
    'order.created',
    'sale.created',
    'order.approved',
    'order.processing',
    'payment.processing',
    'payment.paid',
    'client.updated',
    'order.cancelled',
    'payment.refunded',
    'sale.stage_changed',
  ]);
  expect(eventOf(events, 'order.created')).toEqual({
    id: expect.any(String),
    type: 'order.created',
    createdAt: order.createdAt,
    tokenId: holder.tokenId,
    data: order,
  });
  expect(eventOf(events, 'order.approved').changes).toEqual({
    adminApproval: { from: 'PENDING', to: 'VERIFIED' },
    orderStatus: { from: 'PENDING', to: 'PROCESSING' },
  });
  expect(eventOf(events, 'payment.paid')).toMatchObject({
    data: paid,
    changes: { paymentStatus: { from: 'PROCESSING', to: 'PAID' } },
  });
  expect(eventOf(events, 'sale.created').data).toMatchObject({
    stage: 'ONGOING',
    orderId: order.id,
    client: { id: clientId, lastName: 'Example' },
  });
  expect(eventOf(events, 'sale.stage_changed').changes).toEqual({ stage: { from: 'ONGOING', to: 'CLOSED' } });
  const ofStrain = events.filter(({ data }) => data.id === strainId);
  expect(typesOf(ofStrain)).toEqual(['strain.out_of_stock', 'strain.back_in_stock']);
  expect(
    ofStrain.map(({ tokenId, data, changes }) => [tokenId, data.stockQuantity, changes?.stockQuantity]),
  ).toEqual([
    [null, 0, { from: 10, to: 0 }],
    [null, 10, { from: 0, to: 10 }],
  ]);
});

it('reports an order that is rejected, and one that is shipped and delivered', async () => {
  const log = followEvents(holder, 'order.*');
  await log.readOn();
  const [rejected, shipped] = [await placeOrder(), await placeOrder()];
  await changeOrder(rejected.order.id, { adminApproval: 'REJECTED', rejectionNote: 'Not today' });
  await changeOrder(shipped.order.id, { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' });
  await changeOrder(shipped.order.id, { orderStatus: 'DELIVERED' });
  const events = await log.waitFor('order.delivered');
  const typesFor = (id: string) => typesOf(events.filter(({ data }) => data.id === id));
  expect(typesFor(rejected.order.id)).toEqual(['order.created', 'order.rejected', 'order.cancelled']);
  expect(typesFor(shipped.order.id)).toEqual([
    'order.created',
    'order.approved',
    'order.shipped',
    'order.delivered',
  ]);
  expect(eventOf(events, 'order.rejected').data).toEqual(await readOrder(rejected.order.id));
});

it('reports a lead that becomes the sale of an order, and a payment that the provider reports', async () => {
  const log = followEvents(holder, 'sale.*,payment.*,order.*');
  const { clientId } = await insertReadyClient(sql, holder.tokenId, { stock: 20 });
  const lead = dataOf<Sale>(await holder.ask('POST', '/dapp/sales', { body: { clientId } }));
  await log.waitFor('sale.created');
  const order = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  const moved = await log.waitFor('order.created', 'sale.stage_changed');
  expect(eventOf(moved, 'sale.stage_changed')).toMatchObject({
    data: { id: lead.id, stage: 'ONGOING', orderId: order.id },
    changes: { stage: { from: 'LEADS', to: 'ONGOING' }, orderId: { from: null, to: order.id } },
  });

  const payments = openPayments(storefront);
  const orderId = await payments.insertOrder();
  const first = await payments.openCheckout(orderId);
  dataOf(await payments.report(first.payUrl, 'FAILED'));
  const second = await payments.openCheckout(orderId);
  dataOf(await payments.report(second.payUrl, 'PAID'));
  const paid = (await log.waitFor('payment.paid')).filter(({ data }) => data.id === orderId);
  expect(typesOf(paid)).toEqual(['order.created', 'payment.failed', 'payment.paid']);
});

it('reports changes of the catalogue once, to every digital key', async () => {
  const logs = [holder, sibling, stranger].map((caller) => followEvents(caller, 'strain.*'));
  for (const log of logs) await log.readOn();
  const body = {
    name: `Strain ${crypto.randomUUID()}`,
    ...{ type: 'HYBRID', thc: 18, cbd: 1, retailPrice: 10, currency: 'EUR', planet: '1' },
    strainLocations: [{ countryCode: 'PRT', stockQuantity: 0 }],
  };
  const { id } = dataOf<Strain>(await admin.ask('POST', '/admin/strains', { body }));
  const change = async (changed: object) =>
    dataOf<Strain>(await admin.ask('PATCH', `/admin/strains/${id}`, { body: changed }));
  const stocked = await change({ strainLocations: [{ countryCode: 'PRT', stockQuantity: 5 }] });
  await change({ retailPrice: 11 });
  await change({ retailPrice: 11 });
  await change({ stockQuantity: 0 });
  for (const log of logs) {
    const events = (await log.waitFor('strain.out_of_stock')).filter(({ data }) => data.id === id);
    expect(typesOf(events)).toEqual([
      'strain.created',
      'strain.updated',
      'strain.back_in_stock',
      'strain.updated',
      'strain.updated',
      'strain.out_of_stock',
    ]);
    expect(new Set(events.map(({ tokenId }) => tokenId))).toEqual(new Set([null]));
    expect(events[1]?.data).toEqual(stocked);
    expect(events[3]?.changes).toMatchObject({ retailPrice: { from: 10, to: 11 } });
  }
  expect(await sql(`SELECT DISTINCT token_id FROM events WHERE snapshot ->> 'id' = $1`, [id])).toEqual([
    { token_id: null },
  ]);
});

it('reports sales of the digital key, and keys to their holder only', async () => {
  const seller = await addDigitalKey();
  const log = followEvents(seller);
  const listed = await listSale(seller, sql);
  const cancelled = dataOf<NftSale>(await handIn(seller, listed));
  const key = dataOf<CreatedKey>(
    await holder.signedIn.ask('POST', '/keys', { body: { keyName: 'For events' } }),
  );
  dataOf(await holder.signedIn.ask('DELETE', `/keys/${key.id}`));
  const events = await log.waitFor('nft_sale.cancelled');
  expect(typesOf(own(events))).toEqual(['key.created', 'nft_sale.listed', 'nft_sale.cancelled']);
  expect(eventOf(events, 'nft_sale.listed').data).toEqual(listed);
  expect(eventOf(events, 'nft_sale.cancelled').data).toEqual(cancelled);
  expect(JSON.stringify(events.filter(({ type }) => type.startsWith('nft_sale')))).not.toContain('signature');

  const { secretKey: _secret, ...shown } = key;
  const ofKey = (await followEvents(holder, 'key.*').waitFor('key.revoked')).filter(
    ({ data }) => data.id === key.id,
  );
  expect(ofKey.map(({ type, data }) => [type, data])).toEqual([
    ['key.created', expect.objectContaining({ ...shown, lastUsedAt: null, revokedAt: null })],
    ['key.revoked', expect.objectContaining({ ...shown, lastUsedAt: null, revokedAt: expect.any(String) })],
  ]);
  // The digital key changes hands: the new holder reads its events, and nothing of the keys of the former one.
  await sql('UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1', [
    seller.tokenId,
    stranger.holderId,
  ]);
  const buyer = { role: 'holder', tokenId: seller.tokenId, holderId: stranger.holderId } as const;
  const rows = await sql<{ type: string }>(
    `SELECT type FROM events WHERE token_id = $1 AND (holder_id IS NULL OR holder_id = $2) ORDER BY sequence_number`,
    [buyer.tokenId, buyer.holderId],
  );
  expect(rows.map(({ type }) => type)).toEqual(['nft_sale.listed', 'nft_sale.cancelled']);
});

it('shows a digital key only its own events', async () => {
  const { order } = await placeOrder();
  const event = await until(
    async () =>
      (await followEvents(holder, 'order.created').readOn()).find(({ data }) => data.id === order.id),
    (found) => found !== undefined,
  );
  for (const other of [stranger, sibling]) {
    expect(own(await followEvents(other, 'order.*').readOn())).toEqual([]);
    const reply = await other.ask('GET', `/events/${event?.id}`);
    expect([reply.status, reply.envelope.code]).toEqual([403, 'NOT_OWNED']);
  }
  expect(dataOf<Event>(await holder.ask('GET', `/events/${event?.id}`))).toEqual(event);
  expect((await admin.ask('GET', '/events')).envelope.code).toBe('HOLDER_REQUIRED');
});

it('lists oldest first in pages, by type, and continues after an event', async () => {
  const reader = await addDigitalKey();
  for (const firstName of ['One', 'Two', 'Three']) {
    await insertClient(sql, reader.tokenId, { firstName });
  }
  const all = await (async () => {
    const log = followEvents(reader, 'client.*');
    const events: Event[] = [];
    while (events.length < 3) events.push(...(await log.waitFor('client.created')));
    return events;
  })();
  expect(all.map(({ data }) => data.firstName)).toEqual(['One', 'Two', 'Three']);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
  const page = async (query: string) => dataOf<EventPage>(await reader.ask('GET', `/events?${query}`));
  const first = await page('type=client.*&take=2');
  expect([first.events, first.hasMore, first.nextAfter]).toEqual([all.slice(0, 2), true, all[1]?.id]);
  const second = await page(`type=client.*&take=2&after=${first.nextAfter}`);
  expect([second.events, second.hasMore, second.nextAfter]).toEqual([all.slice(2), false, all[2]?.id]);
  const third = await page(`type=client.created,order.*&after=${second.nextAfter}`);
  expect(third).toEqual({ events: [], hasMore: false, nextAfter: all[2]?.id });
  expect((await page('type=order.*')).events).toEqual([]);
});

it('lists newest first in pages, by type, and continues before an event', async () => {
  const reader = await addDigitalKey();
  for (const firstName of ['One', 'Two', 'Three']) await insertClient(sql, reader.tokenId, { firstName });
  const page = async (query: string) =>
    dataOf<EventPage>(await reader.ask('GET', `/events?type=client.*&${query}`));
  const first = await until(
    () => page('orderBy=desc&take=2'),
    ({ events }) => events[0]?.data.firstName === 'Three',
  );
  const [three, two] = first.events;
  expect(first.events.map(({ data }) => data.firstName)).toEqual(['Three', 'Two']);
  expect(first).toMatchObject({ hasMore: true, nextAfter: three?.id, nextBefore: two?.id });
  const second = await page(`orderBy=desc&take=2&before=${first.nextBefore}`);
  const [one] = second.events;
  expect(second.events.map(({ data }) => data.firstName)).toEqual(['One']);
  expect(second).toMatchObject({ hasMore: false, nextAfter: one?.id, nextBefore: null });
  expect(await page(`orderBy=desc&before=${one?.id}`)).toEqual({
    events: [],
    hasMore: false,
    nextAfter: null,
    nextBefore: null,
  });
  // What comes after the newest page is what happens next.
  await insertClient(sql, reader.tokenId, { firstName: 'Four' });
  const next = await until(
    () => page(`after=${first.nextAfter}`),
    ({ events }) => events.length > 0,
  );
  expect(next.events.map(({ data }) => data.firstName)).toEqual(['Four']);
  // The list of another digital key does not have them, whatever it begins with.
  for (const other of [stranger, sibling]) {
    const reply = await other.ask('GET', `/events?orderBy=desc&before=${first.nextAfter}`);
    expect(own(dataOf<EventPage>(reply).events).filter(({ tokenId }) => tokenId === reader.tokenId)).toEqual(
      [],
    );
  }
});

it('lists newest first what it lists oldest first, while others write', async () => {
  const reader = await addDigitalKey();
  const read = async (query: Record<string, string>) =>
    dataOf<EventPage>(await reader.ask('GET', `/events?${new URLSearchParams(query)}`));
  /** Reads all pages from the newest to the oldest event. */
  const readBack = async (take: number): Promise<Event[]> => {
    const found: Event[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const page: EventPage = await read({
        ...{ orderBy: 'desc', take: String(take), type: 'client.*' },
        ...(before && { before }),
      });
      found.push(...page.events);
      before = page.nextBefore ?? null;
    }
    return found;
  };
  let isWriting = true;
  // Several clients in a transaction, and several transactions at a time, which commit in another order than they began.
  const write = async (writer: number) => {
    for (let round = 0; round < 6; round++) {
      await sql(
        `WITH slow AS (SELECT pg_sleep(random() / 50))
         INSERT INTO clients (token_id, first_name, last_name, email)
         SELECT $1, 'Ada', 'Example', $2 || '-' || n || '@example.org' FROM slow, generate_series(1, 2) AS n`,
        [reader.tokenId, `${writer}-${round}`],
      );
    }
  };
  const writing = Promise.all([1, 2, 3].map(write)).finally(() => {
    isWriting = false;
  });
  const walks: Event[][] = [];
  while (isWriting) walks.push(await readBack(1 + (walks.length % 4)));
  await writing;
  const all = await until(
    () => followEvents(reader, 'client.*').readOn(),
    (events) => events.length === 36,
  );
  walks.push(await readBack(7));
  for (const walk of walks) {
    const newest = walk[0]?.id ?? '';
    expect(walk).toEqual(all.filter(({ id }) => id <= newest).toReversed());
  }
  expect(walks.at(-1)).toHaveLength(36);
});

it.each([
  ['type=order.exploded', /type must be a type of event/],
  ['type=client', /type must be a type of event/],
  ['after=evt_1', /after must be the id of an event/],
  [`before=evt_${'1'.repeat(29)}`, /before must come with orderBy=desc/],
  [`orderBy=asc&before=evt_${'1'.repeat(29)}`, /before must come with orderBy=desc/],
  [`orderBy=desc&after=evt_${'1'.repeat(29)}`, /after must not come with orderBy=desc: pass before/],
  ['orderBy=desc&before=evt_1', /before must be the id of an event/],
  ['orderBy=newest', /orderBy must be one of the following values: asc, desc/],
  ['take=0', /take/],
  ['take=1001', /take/],
])('refuses %s', async (query, issue) => {
  const reply = await holder.ask('GET', `/events?${query}`);
  expect([reply.status, reply.envelope.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(JSON.stringify(reply.envelope.data)).toMatch(issue);
});

it('does not know ids that were never given out, and says when events are no longer kept', async () => {
  for (const digit of ['v', '7']) {
    const reply = await holder.ask('GET', `/events/evt_${digit.repeat(29)}`);
    expect([digit, reply.status]).toEqual([digit, 404]);
  }
  const old = await holder.ask('GET', `/events?after=evt_${'0'.repeat(29)}`);
  expect([old.status, old.envelope.code]).toEqual([404, 'EVENTS_EXPIRED']);
  // Who reads back arrives at the end.
  const oldest = await holder.ask('GET', `/events?orderBy=desc&before=evt_${'0'.repeat(29)}`);
  expect(dataOf<EventPage>(oldest)).toMatchObject({ events: [], hasMore: false, nextBefore: null });
});

it('says so if a position is ahead of the log, because the database was created anew', async () => {
  const [horizon] = await sql<{ number: string }>(
    'SELECT (last_value + 1)::text AS number FROM event_numbers',
  );
  const idAt = (number: number) =>
    formatEventId({ transactionNumber: number, sequenceNumber: 1 }, new Date().toISOString());
  const reached = await holder.ask('GET', `/events?after=${idAt(Number(horizon?.number) - 1)}`);
  expect(reached.status).toBe(200);
  for (const path of ['/events', '/events/stream'])
    for (const id of [idAt(Number(horizon?.number) + 1_000_000), `evt_${'v'.repeat(29)}`]) {
      const reply = await holder.ask('GET', `${path}?after=${id}`);
      expect([path, reply.status, reply.envelope.code]).toEqual([path, 404, 'EVENT_POSITION_UNKNOWN']);
    }
  const ahead = await holder.ask('GET', `/events?orderBy=desc&before=evt_${'v'.repeat(29)}`);
  expect([ahead.status, ahead.envelope.code]).toEqual([404, 'EVENT_POSITION_UNKNOWN']);
});

it('shows nothing of an event while a transaction that began to write earlier is running', async () => {
  const reader = await addDigitalKey();
  await sql('BEGIN');
  await insertClient(sql, reader.tokenId, { firstName: 'Slow' });
  const body = { firstName: 'Quick', lastName: 'Example', email: 'quick@example.org' };
  dataOf(await reader.ask('POST', '/dapp/clients', { body }));
  const log = followEvents(reader, 'client.*');
  expect(await log.readOn()).toEqual([]);
  const newest = await reader.ask('GET', '/events?type=client.*&orderBy=desc');
  expect(dataOf<EventPage>(newest).events).toEqual([]);
  await sql('COMMIT');
  const events: Event[] = [];
  while (events.length < 2) events.push(...(await log.waitFor('client.created')));
  expect(events.map(({ data }) => data.firstName)).toEqual(['Slow', 'Quick']);
});

it('leaves no event of a change that is rolled back', async () => {
  const reader = await addDigitalKey();
  await sql('BEGIN');
  await insertClient(sql, reader.tokenId);
  await sql('ROLLBACK');
  const body = { firstName: 'Kept', lastName: 'Example', email: 'kept@example.org' };
  dataOf(await reader.ask('POST', '/dapp/clients', { body }));
  const events = await followEvents(reader, 'client.*').waitFor('client.created');
  expect(events.map(({ data }) => data.firstName)).toEqual(['Kept']);
});

it('erases the personal data of an erased client from all events', async () => {
  const log = followEvents(holder);
  const email = `${crypto.randomUUID()}@example.org`;
  const { id: clientId } = await insertClient(sql, holder.tokenId, { firstName: 'Forgotten', email });
  const { id: strainId } = await insertStrain(sql);
  const items = [{ strainId, quantity: 1 }];
  const order = dataOf<OrderWithLines>(
    await holder.ask('POST', '/dapp/orders', { body: { clientId, items } }),
  );
  await changeOrder(order.id, { adminApproval: 'REJECTED', rejectionNote: 'Lives in a lighthouse' });
  await log.waitFor('order.rejected');
  dataOf(await holder.ask('DELETE', `/dapp/clients/${clientId}?erase=true`));
  const events = await until(
    async () =>
      (await followEvents(holder).readOn()).filter(({ data }) => JSON.stringify(data).includes(clientId)),
    (found) => typesOf(found).includes('client.archived'),
  );
  expect(typesOf(events)).toContain('order.rejected');
  const stored = await sql<{ row: string }>('SELECT events::text AS row FROM events WHERE token_id = $1', [
    holder.tokenId,
  ]);
  const texts = [JSON.stringify(events), ...stored.map(({ row }) => row)];
  for (const secret of [email, 'lighthouse'])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});
