import { randomUUID } from 'node:crypto';
import type { CreatedWebhook, OwnedNftList, Sale } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront, type TestHolder } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, sql } = await openStorefront();

/** One of each kind of what belongs to a digital key. */
async function addAll({ tokenId, ask }: TestHolder): Promise<Record<string, string>> {
  const { id: client } = await insertClient(sql, tokenId);
  const order = await insertOrder(sql, tokenId, client);
  const sale = dataOf<Sale>(await ask('POST', '/dapp/sales', { body: { clientId: client } })).id;
  const body = { url: 'https://shop.example/hook', eventTypes: ['order.*'] };
  const webhook = dataOf<CreatedWebhook>(await ask('POST', '/webhooks', { body })).id;
  return { client, order, sale, webhook };
}

const tokensThatOwn = async (caller: Pick<TestHolder, 'ask'>, id: string) =>
  dataOf<OwnedNftList>(await caller.ask('GET', `/dapp/users/nfts?owns=${id}`)).nfts.map(
    ({ tokenId }) => tokenId,
  );

it('names the digital key of the holder that something belongs to, whichever they act for', async () => {
  for (const id of Object.values(await addAll(sibling))) {
    for (const caller of [holder, holder.signedIn, sibling]) {
      expect(await tokensThatOwn(caller, id)).toEqual([sibling.tokenId]);
    }
  }
});

it('says as little of what is a stranger’s as of what does not exist', async () => {
  const ids = Object.values(await addAll(stranger));
  for (const id of [...ids, randomUUID()]) {
    for (const caller of [holder, holder.signedIn]) expect(await tokensThatOwn(caller, id)).toEqual([]);
  }
  const { client = '' } = await addAll(sibling);
  await sql('UPDATE clients SET archived_at = now() WHERE id = $1', [client]);
  expect(await tokensThatOwn(holder, client)).toEqual([]);
});
