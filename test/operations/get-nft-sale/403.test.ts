import { expect, it } from 'vitest';
import { draftSale, listSale } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sibling, stranger, addDigitalKey, sql } = await openStorefront();

const refused = {
  success: false,
  statusCode: 403,
  code: 'NOT_OWNED',
  message: 'Sale belongs to another holder or digital key',
  data: null,
};

it.each([
  ['drafted', draftSale],
  ['listed', listSale],
])('shows nothing of what another holder has %s', async (_name, open) => {
  const { id } = await open(stranger, sql);
  expect((await holder.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
});

it('hides a former owner’s sale from the current owner', async () => {
  const buyer = await addDigitalKey();
  const { id, tokenId } = await listSale(buyer, sql);
  expect(tokenId).toBe(buyer.tokenId);
  // As if the buyer had bought it from the stranger.
  await sql('UPDATE nft_sales SET seller_id = $2 WHERE id = $1', [id, stranger.holderId]);
  expect((await buyer.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
});

it.each([
  ['drafted', draftSale],
  ['listed', listSale],
])('shows nothing of what the same wallet has %s for another digital key', async (_name, open) => {
  const { id } = await open(sibling, sql);
  for (const caller of [holder, holder.signedIn]) {
    expect((await caller.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
  }
});
