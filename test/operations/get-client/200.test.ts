import type { Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, insertedClientFields, kycFieldsOf } from '../../support/storefront-data.ts';

const { holder, sibling, sql } = await openStorefront();

it('returns every field of the client, by signature or token', async () => {
  const { id, email } = await insertClient(sql, holder.tokenId);
  await sql(
    `UPDATE clients SET phone_code = '+351', phone_country_code = 'PT', contact_number = '200 555 010',
       shipping_address1 = 'Rua do Exemplo 1', shipping_address2 = '2.º esq.', shipping_city = 'Lisboa',
       shipping_state = 'Estremadura', shipping_country = 'Portugal', shipping_country_code = 'PRT',
       shipping_postal_code = '1000-001', shipping_landmark = 'Opposite the fountain', created_at = '2026-01-02 03:04:05.006+00' WHERE id = $1`,
    [id],
  );
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
  for (const caller of [holder, holder.signedIn]) {
    const reply = await caller.ask('GET', `/dapp/clients/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.envelope).toEqual({
      success: true,
      statusCode: 200,
      message: 'Success',
      data: {
        id,
        ...insertedClientFields,
        firstName: 'Ada',
        lastName: 'Example',
        email,
        phoneCode: '+351',
        phoneCountryCode: 'PT',
        contactNumber: '200 555 010',
        shipping,
        shippings: [shipping],
        adminApproval: 'VERIFIED',
        isKYCVerified: true,
        isActive: true,
        ...kycFieldsOf('VERIFIED'),
        medicalRecord: null,
        nft: { tokenId: holder.tokenId },
        createdAt: '2026-01-02T03:04:05.006Z',
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  }
});

it('returns the approval of a rejected client, and keeps the note among administrators', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'REJECTED' });
  await sql(`UPDATE clients SET rejection_note = 'The document photo cannot be read.' WHERE id = $1`, [id]);
  const reply = await holder.ask('GET', `/dapp/clients/${id}`);
  expect(dataOf<Client>(reply).adminApproval).toBe('REJECTED');
  expect(reply.text).not.toContain('photo');
});

it('returns each digital key of a holder its own client of the same e-mail', async () => {
  const email = 'both@example.org';
  for (const { tokenId, ask } of [holder, sibling]) {
    const { id } = await insertClient(sql, tokenId, { email });
    expect(dataOf<Client>(await ask('GET', `/dapp/clients/${id}`))).toMatchObject({ id, nft: { tokenId } });
  }
});

it('knows a client by its id in capitals too', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  expect(dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id.toUpperCase()}`)).id).toBe(id);
});
