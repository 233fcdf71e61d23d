import { expect, it } from 'vitest';
import { draftSale, listSale } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, stranger, sql } = await openStorefront();

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
  const { id, tokenId } = await listSale(stranger, sql);
  await sql('UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1', [tokenId, holder.holderId]);
  expect((await holder.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
});
