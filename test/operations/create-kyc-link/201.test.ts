import type { Client, KycLink } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { ChangeFeed } from '../../../packages/server/src/database/coordination/change-feed.ts';
import { dataOf, openCallers, openStorefront, startStorefrontService } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';
import { testProviders } from '../../support/test-providers.ts';

const { holder, admin, providers, sql } = await openStorefront();

const linkForm = /^https:\/\/identity\.test\/start\?reference=[0-9a-f-]{36}$/;
const referenceIn = (link: string | null) => new URL(String(link)).searchParams.get('reference');

async function createClient(): Promise<Client> {
  const body = { firstName: 'Ada', lastName: 'Example', email: `${crypto.randomUUID()}@example.org` };
  return dataOf<Client>(await holder.ask('POST', '/dapp/clients', { body }));
}

const getClient = async (id: string) => dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id}`));
const createLink = async (id: string, body?: unknown) =>
  dataOf<KycLink>(
    await holder.ask('POST', `/dapp/clients/${id}/kyc-link`, body === undefined ? {} : { body }),
  );
const report = (link: string | null, status: string) =>
  providers.KYC.ask('POST', '/callbacks/kyc', { body: { reference: referenceIn(link), status } });

it('a client has a link from the start, for holders and administrators', async () => {
  const client = await createClient();
  expect(client).toMatchObject({
    kycLink: expect.stringMatching(linkForm),
    kycStatus: 'PENDING',
    kycVerifiedAt: null,
    isKYCVerified: false,
  });
  expect(await getClient(client.id)).toMatchObject({ kycLink: client.kycLink });
  const { clients } = dataOf<{ clients: Client[] }>(
    await admin.ask('GET', `/admin/clients?search=${encodeURIComponent(client.email)}`),
  );
  expect(clients).toMatchObject([{ kycLink: client.kycLink, kycStatus: 'PENDING' }]);
});

it('replaces the link, and the old one is dead', async () => {
  const client = await createClient();
  const link = await createLink(client.id);
  expect(link).toEqual({
    clientId: client.id,
    kycLink: expect.stringMatching(linkForm),
    kycStatus: 'PENDING',
    kycVerifiedAt: null,
  });
  expect(link.kycLink).not.toBe(client.kycLink);
  expect(await getClient(client.id)).toMatchObject({ kycLink: link.kycLink });
  expect((await report(client.kycLink, 'VERIFIED')).status).toBe(404);
  expect((await report(link.kycLink, 'VERIFIED')).status).toBe(200);
});

it('ignores the body, whatever it contains', async () => {
  const { id } = await createClient();
  const links = [
    await createLink(id),
    await createLink(id, {}),
    await createLink(id, { redirectUrl: 'https://shop.example', clientId: 7, nested: { colour: ['red'] } }),
    await createLink(id, ['a list']),
  ].map(({ kycLink }) => kycLink);
  expect(new Set(links).size).toBe(links.length);
});

it('gives a link to a client who has none, because they are older than the provider', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { isKycVerified: false });
  await sql('UPDATE clients SET kyc_reference = NULL WHERE id = $1', [id]);
  expect(await getClient(id)).toMatchObject({ kycLink: null });
  expect(await createLink(id)).toMatchObject({ kycLink: expect.stringMatching(linkForm) });
});

it('starts a rejected check again, and leaves a verified client verified', async () => {
  const { id, kycLink } = await createClient();
  await report(kycLink, 'REJECTED');
  expect(await getClient(id)).toMatchObject({ kycStatus: 'REJECTED' });
  const second = await createLink(id);
  expect(second).toMatchObject({ kycStatus: 'PENDING' });
  await report(second.kycLink, 'VERIFIED');
  expect(await createLink(id)).toMatchObject({
    kycStatus: 'VERIFIED',
    kycVerifiedAt: expect.stringMatching(/^\d{4}-/),
  });
  expect(await getClient(id)).toMatchObject({ isKYCVerified: true });
});

it('follows what an administrator decides', async () => {
  const { id, kycLink } = await createClient();
  const decide = async (isKYCVerified: boolean) =>
    dataOf<Client>(await admin.ask('PATCH', `/admin/clients/${id}`, { body: { isKYCVerified } }));
  await report(kycLink, 'REJECTED');
  const verified = await decide(true);
  expect(verified).toMatchObject({ kycStatus: 'VERIFIED', kycVerifiedAt: expect.stringMatching(/^\d{4}-/) });
  // Deciding the same again changes nothing.
  expect(await decide(true)).toMatchObject({ kycVerifiedAt: verified.kycVerifiedAt });
  expect(await decide(false)).toMatchObject({ kycStatus: 'PENDING', kycVerifiedAt: null });
});

it('returns 403 where the operator has set up no identity provider', async () => {
  const service = await startStorefrontService((url) => new ChangeFeed({ url }), {
    providers: { ...testProviders, KYC: null },
  });
  const storefront = await openCallers(service);
  const { id } = await insertClient(storefront.sql, storefront.holder.tokenId);
  const reply = await storefront.holder.ask('POST', `/dapp/clients/${id}/kyc-link`);
  expect([reply.status, reply.envelope]).toMatchObject([
    403,
    {
      code: 'PROVIDER_NOT_CONFIGURED',
      message: 'The operator of this service has set up no identity provider',
    },
  ]);
  const body = { reference: id, status: 'VERIFIED' };
  const callback = await storefront.providers.KYC.ask('POST', '/callbacks/kyc', { body });
  expect([callback.status, callback.envelope.code]).toEqual([403, 'PROVIDER_NOT_CONFIGURED']);
  expect(dataOf(await storefront.holder.ask('GET', `/dapp/clients/${id}`))).toMatchObject({ kycLink: null });
  await service.service.close();
});
