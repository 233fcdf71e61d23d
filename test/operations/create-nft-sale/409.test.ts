import { expect, it } from 'vitest';
import { draftSale, listSale } from '../../support/nft-sales.ts';
import { openStorefront, type TestCaller } from '../../support/storefront.ts';

const { addDigitalKey, sql } = await openStorefront();

const draft = (tokenId: number, caller: TestCaller) =>
  caller.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });

it.each([
  ['drafted', draftSale],
  ['listed', listSale],
])('rejects a second sale while one is %s', async (_name, open) => {
  const seller = await addDigitalKey();
  const { id, tokenId } = await open(seller, sql);
  const before = await sql('SELECT * FROM nft_sales WHERE id = $1', [id]);
  const reply = await draft(tokenId, seller);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 409,
    code: 'SALE_ALREADY_OPEN',
    message: 'The digital key has an open sale already',
    data: null,
  });
  expect(await sql('SELECT * FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual(before);
});
