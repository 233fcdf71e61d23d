import type { NftSale } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale } from '../../support/nft-sales.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const withdraw = async (id: string, caller: Pick<typeof holder, 'ask'> = holder) =>
  dataOf<NftSale>(await caller.ask('DELETE', `/marketplace/nfts/sale/${id}`));

it('cancels a draft, which stays readable, and records no transaction', async () => {
  const draft = await draftSale(holder, sql);
  const withdrawn = await withdraw(draft.id);
  expect(withdrawn).toEqual({
    ...draft,
    state: 'CANCELLED',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    typedData: null,
  });
  expect(dataOf(await holder.ask('GET', `/marketplace/nfts/sale/${draft.id}`))).toEqual(withdrawn);
  expect(await sql('SELECT FROM transactions WHERE sale_id = $1', [draft.id])).toEqual([]);
});

it('leaves the digital key free for another sale', async () => {
  await withdraw((await draftSale(holder, sql)).id, holder.signedIn);
  const { tokenId } = holder;
  const body = { tokenId, price: '2' };
  expect((await holder.ask('POST', '/marketplace/nfts/sale', { body })).status).toBe(201);
});

it('withdraws an expired draft', async () => {
  const { id } = await draftSale(holder, sql);
  await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 day' WHERE id = $1`, [id]);
  expect((await withdraw(id)).state).toBe('CANCELLED');
});
