import type { Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, readClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const { id } = await insertClient(sql, holder.tokenId);
const update = (body: unknown) => holder.ask('PATCH', `/dapp/clients/${id}/marketing-consent`, { body });

it('records the consent of the client and its withdrawal, and nothing else', async () => {
  const before = await readClient(holder, id);
  for (const marketingConsent of [true, true, false]) {
    const client = dataOf<Client>(await update({ marketingConsent }));
    expect(client).toEqual({ ...before, marketingConsent, updatedAt: client.updatedAt });
  }
});

it.each([
  [{}, 'marketingConsent is required'],
  [{ marketingConsent: 'true' }, 'marketingConsent must be a boolean value'],
  [{ marketingConsent: null }, 'marketingConsent must be a boolean value'],
])('rejects %j', async (body, issue) => {
  const reply = await update(body);
  expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
});
