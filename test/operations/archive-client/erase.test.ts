import { randomUUID } from 'node:crypto';
import type { ArchivedClient, Client, OrderWithLines, SaleHistory, SalePage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { currentTransaction, dumpDatabase } from '../../support/dump-database.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { holder, stranger, admin, sql } = await openStorefront();
const begin = await currentTransaction(sql);

/** A text that stands nowhere else in the database. */
const unique = () => `t${randomUUID().replaceAll('-', '').slice(0, 18)}`;

/** Personal data that must not outlive the client. */
const createPerson = () => ({
  title: unique(),
  email: `${unique()}@example.org`,
  contactNumber: unique(),
  externalReference: unique(),
  shipping: { address1: unique(), landmark: unique(), city: unique(), countryCode: 'PRT' },
  shippings: [{}, { address1: unique(), postalCode: unique() }],
  clientBusiness: { name: unique(), address1: unique() },
});

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsOf);

/** Creates a client with a note, a sale, and a stored response that contains it. Returns all that was said about it. */
async function createClient() {
  const names = { firstName: unique(), lastName: unique() };
  const person = createPerson();
  const { id } = dataOf<Client>(
    await holder.ask('POST', '/dapp/clients', {
      body: { ...names, ...person, medicalRecord: { allergies: ['penicillin'] } },
      headers: { 'idempotency-key': randomUUID() },
    }),
  );
  const notes = [unique(), unique(), unique()];
  const approve = (body: object) => admin.ask('PATCH', `/admin/clients/${id}`, { body });
  dataOf(await approve({ adminApproval: 'REJECTED', rejectionNote: notes[0] }));
  const { sales } = dataOf<SalePage>(await holder.ask('GET', `/dapp/sales?clientId=${id}`));
  const saleId = sales[0]?.id ?? '';
  for (const description of notes.slice(1)) {
    dataOf(await holder.ask('PATCH', `/dapp/sales?id=${saleId}`, { body: { description } }));
  }
  dataOf(
    await holder.ask('POST', '/dapp/sales', {
      body: { clientId: id },
      headers: { 'idempotency-key': randomUUID() },
    }),
  );
  const secrets = [...textsOf(person).filter((text) => text !== 'PRT'), ...notes];
  return { id, names: Object.values(names), secrets, saleId, approve };
}

const erase = async (id: string) =>
  dataOf<ArchivedClient>(await holder.ask('DELETE', `/dapp/clients/${id}?erase=true`));

it('leaves nothing of a client without orders in the database', async () => {
  const { id, names, secrets, saleId } = await createClient();
  const { id: otherId, secrets: kept } = await createClient();
  const before = await dumpDatabase(sql, begin);
  for (const text of [...names, ...secrets]) expect(before).toContain(text);

  const erased = await erase(id);
  expect(erased).toEqual({ id, archivedAt: expect.any(String), erasedAt: expect.any(String) });
  const after = await dumpDatabase(sql, begin);
  for (const text of [...names, ...secrets]) expect(after).not.toContain(text);
  expect(await sql('SELECT FROM medical_records WHERE client_id = $1', [id])).toEqual([]);
  // Nor anything of another client less.
  for (const text of kept) expect(after).toContain(text);
  expect((await holder.ask('GET', `/dapp/clients/${otherId}`)).status).toBe(200);

  // What happened stays known, without what was said about the person.
  const { history } = dataOf<SaleHistory>(await holder.ask('GET', `/dapp/sales/${saleId}/history`));
  expect(new Set(history.map(({ description }) => description))).toEqual(new Set(['']));
  const audit = await sql<{ after: object }>('SELECT after FROM audit WHERE subject_id = $1', [id]);
  expect(audit).toEqual([{ after: { adminApproval: 'REJECTED', rejectionNote: 'erased' } }]);
  expect(dataOf(await holder.ask('DELETE', `/dapp/clients/${id}?erase=true`))).toEqual(erased);
});

it('keeps what invoices need of a client with orders', async () => {
  const { id, names, secrets, approve } = await createClient();
  dataOf(await approve({ adminApproval: 'VERIFIED', isKYCVerified: true }));
  const { shipping: address } = dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id}`));
  const { id: strainId } = await insertStrain(sql);
  const notes = [unique(), unique()];
  const [customerNote, rejectionNote] = notes;
  const placeOrder = async (body: object) =>
    dataOf<OrderWithLines>(
      await holder.ask('POST', '/dapp/orders', {
        body: { clientId: id, items: [{ strainId, quantity: 1 }], note: customerNote, ...body },
        headers: { 'idempotency-key': randomUUID() },
      }),
    );
  const elsewhere = { ...address, address1: unique(), landmark: '' };
  const sent = await placeOrder({ shippingAddress: elsewhere });
  // As an earlier version has left it: without an address of its own.
  const older = await placeOrder({});
  await sql('UPDATE orders SET shipping = NULL WHERE id = $1', [older.id]);
  dataOf(
    await admin.ask('PATCH', `/admin/orders/${sent.id}`, {
      body: { adminApproval: 'REJECTED', rejectionNote },
    }),
  );
  await erase(id);
  const dump = await dumpDatabase(sql, begin);
  const invoiced = new Set(Object.values(address));
  const erased = [...secrets.filter((text) => !invoiced.has(text)), ...notes];
  expect(erased.length).toBeGreaterThan(8);
  for (const text of erased) expect(dump).not.toContain(text);
  for (const [order, shipping] of [
    [sent, elsewhere],
    [older, address],
  ] as const) {
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${order.id}`))).toMatchObject({
      invoiceNumber: order.invoiceNumber,
      totalAmount: order.totalAmount,
      note: null,
      shipping,
      client: { id, firstName: names[0], lastName: names[1], email: `${id}@erased.invalid` },
    });
  }
  const [row] = await sql('SELECT shipping_address1, shipping_city FROM clients WHERE id = $1', [id]);
  expect(row).toEqual({ shipping_address1: '', shipping_city: '' });
});

it('erases a client that was archived before, and none of another holder', async () => {
  const { id, secrets } = await createClient();
  dataOf(await holder.ask('DELETE', `/dapp/clients/${id}`));
  expect((await stranger.ask('DELETE', `/dapp/clients/${id}?erase=true`)).status).toBe(404);
  const dump = await dumpDatabase(sql, begin);
  for (const text of secrets) expect(dump).toContain(text);
  await erase(id);
  const after = await dumpDatabase(sql, begin);
  for (const text of secrets) expect(after).not.toContain(text);
});
