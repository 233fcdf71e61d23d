import type { Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

const shipping = {
  address1: 'Rua do Exemplo 1',
  address2: '2.º esq.',
  city: 'Lisboa',
  state: 'Estremadura',
  country: 'Portugal',
  countryCode: 'PRT',
  postalCode: '1000-001',
};

const read = async (id: string) => dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id}`));
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
    shipping,
  };
  const after = await update(id, change);
  expect(after).toEqual({ ...before, ...change, updatedAt: after.updatedAt });
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
  const value = field === 'countryCode' ? 'DEU' : 'Changed';
  expect(await update(id, { shipping: { [field]: value } })).toEqual({
    ...before,
    shipping: { ...shipping, [field]: value },
    updatedAt: expect.any(String),
  });
  expect((await update(id, { shipping: { [field]: '' } })).shipping).toEqual({ ...shipping, [field]: '' });
});

it('ignores fields that only administrators change', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'PENDING', isKycVerified: false });
  const client = await update(id, {
    firstName: 'Grace',
    adminApproval: 'VERIFIED',
    isKYCVerified: true,
    isActive: false,
    rejectionNote: 'none',
    nft: { tokenId: stranger.tokenId },
  });
  expect(client).toMatchObject({
    firstName: 'Grace',
    adminApproval: 'PENDING',
    isKYCVerified: false,
    isActive: true,
    nft: { tokenId: holder.tokenId },
  });
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
