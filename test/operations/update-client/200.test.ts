import type { Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { emptyAddress, insertClient, readClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

const shipping = {
  address1: 'Rua do Exemplo 1',
  address2: '2.º esq.',
  landmark: 'Opposite the fountain',
  city: 'Lisboa',
  state: 'Estremadura',
  country: 'Portugal',
  countryCode: 'PRT',
  postalCode: '1000-001',
};

const read = (id: string) => readClient(holder, id);
const update = async (id: string, body: object) => {
  const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body });
  expect(reply.status).toBe(200);
  return dataOf<Client>(reply);
};

it('changes all contact fields at once', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const before = await read(id);
  const change = {
    firstName: 'Grace',
    lastName: 'Sample',
    email: 'grace@example.org',
    phoneCode: '+49',
    phoneCountryCode: 'DE',
    contactNumber: '030 555 010',
    title: 'Prof',
    marketingConsent: true,
    verificationType: 'ID',
    externalReference: 'crm-4712',
    shipping,
  };
  const clientBusiness = { businessType: 'Clinic', name: 'Sample GmbH', ...shipping };
  const after = await update(id, { ...change, clientBusiness });
  expect(after).toEqual({
    ...before,
    ...change,
    shippings: [shipping],
    clientBusinesses: [clientBusiness],
    updatedAt: after.updatedAt,
  });
  expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
  expect(await read(id)).toEqual(after);
});

it.each([
  { firstName: 'Grace' },
  { lastName: 'Sample' },
  { email: 'alone@example.org' },
  { phoneCode: '+49' },
  { phoneCountryCode: 'DE' },
  { contactNumber: '1' },
  { contactNumber: '' },
  { title: 'Ms' },
  { marketingConsent: true },
  { verificationType: 'ID' },
  { externalReference: 'crm-1' },
])('changes only what is named: %j', async (change) => {
  const { id } = await insertClient(sql, holder.tokenId);
  await update(id, { contactNumber: '200 555 010', shipping });
  const before = await read(id);
  expect(await update(id, change)).toEqual({ ...before, ...change, updatedAt: expect.any(String) });
});

it.each(Object.keys(shipping))('changes only what is named of the shipping address: %s', async (field) => {
  const { id } = await insertClient(sql, holder.tokenId);
  await update(id, { shipping });
  const before = await read(id);
  // Name and code of a country change together.
  const change = { [field]: field === 'countryCode' ? 'DEU' : field === 'country' ? 'Germany' : 'Changed' };
  const country = field.startsWith('country') ? { country: 'Germany', countryCode: 'DEU' } : {};
  const changed = { ...shipping, ...change, ...country };
  expect(await update(id, { shipping: change })).toEqual({
    ...before,
    shipping: changed,
    shippings: [changed],
    updatedAt: expect.any(String),
  });
  await update(id, { shipping });
  expect((await update(id, { shipping: { [field]: '' } })).shipping).toEqual({ ...shipping, [field]: '' });
});

it('replaces all addresses by a list, and keeps the others when only the default changes', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const other = { ...shipping, address1: 'Rua Segunda 2' };
  expect((await update(id, { shippings: [shipping, other] })).shippings).toEqual([shipping, other]);
  expect((await update(id, { shipping: { city: 'Porto' } })).shippings).toEqual([
    { ...shipping, city: 'Porto' },
    other,
  ]);
  const { shipping: first, shippings } = await update(id, { shippings: [{ city: 'Faro' }] });
  expect(first).toEqual({ ...emptyAddress, city: 'Faro' });
  expect(shippings).toEqual([first]);
  expect(await update(id, { shippings: [] })).toMatchObject({ shipping: emptyAddress, shippings: [] });
});

it('follows a change of the country by name or by another code', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  await update(id, { shipping });
  for (const [change, country, countryCode] of [
    [{ country: 'Germany' }, 'Germany', 'DEU'],
    [{ countryCode: 'za' }, 'South Africa', 'ZAF'],
    [{ country: 'Somewhere' }, 'Somewhere', ''],
  ] as const) {
    expect((await update(id, { shipping: change })).shipping).toEqual({ ...shipping, country, countryCode });
  }
});

it('changes the named fields of the business, and removes it', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const business = { businessType: '', name: 'Example Lda.', ...emptyAddress };
  const businessesAfter = async (clientBusiness: object | null) =>
    (await update(id, { clientBusiness })).clientBusinesses;
  expect(await businessesAfter({ name: 'Example Lda.' })).toEqual([business]);
  expect(await businessesAfter({ city: 'Porto' })).toEqual([{ ...business, city: 'Porto' }]);
  expect((await update(id, { firstName: 'Grace' })).clientBusinesses).toHaveLength(1);
  expect(await businessesAfter(null)).toEqual([]);
});

it('lets the client keep its e-mail, or write it otherwise', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { email: 'kept@example.org' });
  expect((await update(id, { email: 'kept@example.org' })).email).toBe('kept@example.org');
  expect((await update(id, { email: 'Kept@Example.org' })).email).toBe('Kept@Example.org');
});

it('takes an e-mail that clients of other digital keys have', async () => {
  for (const { tokenId } of [stranger, sibling])
    await insertClient(sql, tokenId, { email: 'theirs@example.org' });
  const { id } = await insertClient(sql, holder.tokenId);
  expect((await update(id, { email: 'theirs@example.org' })).email).toBe('theirs@example.org');
});

it('accepts a token instead of a signature', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const reply = await holder.signedIn.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Grace' } });
  expect(dataOf<Client>(reply).firstName).toBe('Grace');
});

it('loses none of the changes that are made to different fields at once', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const changes = [
    { firstName: 'Grace' },
    { lastName: 'Sample' },
    { phoneCode: '+49' },
    { contactNumber: '1' },
    { shipping: { city: 'Porto' } },
    { shipping: { state: 'Norte' } },
  ];
  await Promise.all(changes.map((change) => update(id, change)));
  expect(await read(id)).toMatchObject({
    firstName: 'Grace',
    lastName: 'Sample',
    phoneCode: '+49',
    contactNumber: '1',
    shipping: { city: 'Porto', state: 'Norte' },
  });
});
