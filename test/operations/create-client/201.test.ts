import { randomUUID } from 'node:crypto';
import type { Client, CreatedClient } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import {
  emptyAddress,
  insertStrain,
  kycFieldsOf,
  readClient,
  untouchedClientFields,
} from '../../support/storefront-data.ts';

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
const whole = {
  firstName: 'Ada',
  lastName: 'Example',
  email: 'Ada@Example.org',
  phoneCode: '+351',
  phoneCountryCode: 'PT',
  contactNumber: '200 555 010',
  title: 'Dr',
  marketingConsent: true,
  verificationType: 'ID',
  externalReference: 'crm-4711',
  metadata: { campaign: 'spring' },
  shipping,
};
const clientBusiness = {
  businessType: 'Pharmacy',
  name: 'Example Lda.',
  ...shipping,
  address1: 'Avenida do Exemplo 7',
};
const create = async (body: object, caller: typeof holder.signedIn = holder) =>
  dataOf<CreatedClient>(await caller.ask('POST', '/dapp/clients', { body }));

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

it('returns every field of the client in the success envelope, and the client again for older storefronts', async () => {
  const reply = await holder.ask('POST', '/dapp/clients', { body: { ...whole, clientBusiness } });
  expect(reply.status).toBe(201);
  const client = {
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    ...whole,
    shippings: [shipping],
    clientCart: [{ id: dataOf<Client>(reply).id }],
    clientBusinesses: [clientBusiness],
    adminApproval: 'PENDING',
    isKYCVerified: false,
    isActive: true,
    approvedAt: null,
    rejectedAt: null,
    ...kycFieldsOf('PENDING'),
    nft: { tokenId: holder.tokenId },
    createdAt: aTime,
    updatedAt: aTime,
  };
  expect(reply.envelope).toEqual({
    success: true,
    statusCode: 201,
    message: 'Success',
    data: { ...client, clientId: dataOf<Client>(reply).id, client },
  });
});

it('stores the client as returned', async () => {
  const { client, clientId } = await create({ ...whole, clientBusiness, email: 'kept@example.org' });
  expect(await readClient(holder, clientId)).toEqual(client);
});

it.each([
  [{ countryCode: 'ZA' }, 'ZAF'],
  [{ countryCode: 'zaf' }, 'ZAF'],
  [{ country: 'South Africa' }, 'ZAF'],
  [{ country: 'za', countryCode: '' }, 'ZAF'],
  [{ country: 'Suid-Afrika', countryCode: 'za' }, 'ZAF'],
  [{ country: 'Atlantis' }, ''],
  [{}, ''],
])('reads the country of %j as %s', async (address, countryCode) => {
  const { client } = await create({
    firstName: 'Abi',
    lastName: 'Example',
    email: `${randomUUID()}@example.org`,
    shippings: [
      { address1: 'Main Road 1', ...address },
      { address1: 'Main Road 2', ...address },
    ],
    clientBusiness: { name: 'Example Ltd', ...address },
  });
  const { country } = { country: countryCode === '' ? '' : 'South Africa', ...address };
  expect(client.shippings).toMatchObject([
    { country, countryCode },
    { country, countryCode },
  ]);
  expect(client.clientBusinesses).toMatchObject([{ country, countryCode }]);
});

it('names the cart, which exists from the start', async () => {
  const { client } = await create({ firstName: 'Ace', lastName: 'Example', email: 'ace@example.org' });
  const [cart] = client.clientCart;
  const { id: strainId } = await insertStrain(sql);
  const add = { clientCartId: cart?.id, items: [{ strainId, quantity: 2 }] };
  await sql(`UPDATE clients SET shipping_address1 = 'x', shipping_country_code = 'PRT' WHERE id = $1`, [
    client.id,
  ]);
  const added = dataOf<{ id: string }>(await holder.ask('POST', '/dapp/carts', { body: add }));
  expect(added.id).toBe(cart?.id);
  expect((await readClient(holder, client.id)).clientCart).toEqual([cart]);
});

it('takes a list of addresses, the first of which is the default', async () => {
  const other = { ...shipping, address1: 'Rua Segunda 2', landmark: '' };
  const { client } = await create({
    firstName: 'Abe',
    lastName: 'Example',
    email: 'abe@example.org',
    shippings: [shipping, other, { city: 'Porto' }],
  });
  expect(client.shipping).toEqual(shipping);
  expect(client.shippings).toEqual([shipping, other, { ...emptyAddress, city: 'Porto' }]);
});

it('lets `shipping` complete the first of the list', async () => {
  const { client } = await create({
    firstName: 'Amy',
    lastName: 'Example',
    email: 'amy@example.org',
    shippings: [{ ...shipping, landmark: '' }],
    shipping: { landmark: 'Blue door' },
  });
  expect(client.shippings).toEqual([{ ...shipping, landmark: 'Blue door' }]);
});

it('leaves the fields of a business empty that are not given', async () => {
  const { client } = await create({
    firstName: 'Ari',
    lastName: 'Example',
    email: 'ari@example.org',
    clientBusiness: { name: 'Example Lda.' },
  });
  expect(client.clientBusinesses).toEqual([{ businessType: '', name: 'Example Lda.', ...emptyAddress }]);
});

it('leaves optional fields empty', async () => {
  const client = await create({ firstName: 'Ben', lastName: 'Example', email: 'ben@example.org' });
  expect(client).toMatchObject(untouchedClientFields);
});

it('accepts a partial shipping address', async () => {
  const client = await create({
    firstName: 'Cleo',
    lastName: 'Example',
    email: 'cleo@example.org',
    shipping: { city: 'Porto' },
  });
  expect(client.shipping).toMatchObject({ city: 'Porto', address1: '', countryCode: '' });
});

it('accepts names of a hundred characters in any script, and keeps surrounding spaces', async () => {
  const names = { firstName: '𝒜'.repeat(100), lastName: ' Øystein ' };
  expect(await create({ ...names, email: 'script@example.org' })).toMatchObject(names);
});

it('accepts a token for the primary digital key', async () => {
  const client = await create(
    { firstName: 'Finn', lastName: 'Example', email: 'finn@example.org' },
    holder.signedIn,
  );
  expect(client.nft).toEqual({ tokenId: holder.tokenId });
});

it('lets other digital keys have a client with the same e-mail, the same holder’s too', async () => {
  const body = { firstName: 'Gil', lastName: 'Example', email: 'gil@example.org' };
  const tokenIds = [];
  for (const caller of [holder, sibling, stranger]) tokenIds.push((await create(body, caller)).nft.tokenId);
  expect(tokenIds).toEqual([holder.tokenId, sibling.tokenId, stranger.tokenId]);
});

it('makes the client a lead', async () => {
  const { id } = await create({ firstName: 'Hal', lastName: 'Example', email: 'hal@example.org' });
  expect(await sql('SELECT token_id::int, stage, order_id FROM sales WHERE client_id = $1', [id])).toEqual([
    { token_id: holder.tokenId, stage: 'LEADS', order_id: null },
  ]);
});

it('repeats the first response for the same Idempotency-Key, and creates one client', async () => {
  const body = { firstName: 'Ida', lastName: 'Example', email: 'ida@example.org' };
  const headers = { 'idempotency-key': 'create-client-201' };
  const first = await holder.ask('POST', '/dapp/clients', { body, headers });
  const second = await holder.ask('POST', '/dapp/clients', { body, headers });
  expect(first.status).toBe(201);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const rows = await sql('SELECT FROM sales WHERE client_id = $1', [dataOf<Client>(first).id]);
  expect(rows).toHaveLength(1);
});

it('creates one client for thirty concurrent requests with the same e-mail', async () => {
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      holder.ask('POST', '/dapp/clients', {
        body: {
          firstName: 'Jo',
          lastName: `Number ${index}`,
          email: index % 2 ? 'jo@example.org' : 'JO@EXAMPLE.ORG',
        },
      }),
    ),
  );
  const statuses = replies.map((reply) => reply.status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(29);
  const [counted] = await sql(
    `SELECT count(DISTINCT clients.id)::int AS clients, count(sales.id)::int AS sales
     FROM clients LEFT JOIN sales ON sales.client_id = clients.id
     WHERE clients.token_id = $1 AND lower(email) = 'jo@example.org'`,
    [holder.tokenId],
  );
  expect(counted).toEqual({ clients: 1, sales: 1 });
});
