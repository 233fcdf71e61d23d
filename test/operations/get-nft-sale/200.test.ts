import type { NftSale } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale, handIn, listSale } from '../../support/nft-sales.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

const read = async (id: string, caller: Pick<typeof holder, 'ask'> = holder) =>
  dataOf<NftSale>(await caller.ask('GET', `/marketplace/nfts/sale/${id}`));

it('returns every field of a sale, to every credential of the digital key and to administrators', async () => {
  const { id, tokenId } = await draftSale(holder, sql, '7.250');
  const sale = await read(id);
  expect(sale).toEqual({
    id,
    tokenId,
    seller: holder.account.address,
    price: '7.25',
    currency: 'ETH',
    state: 'DRAFT',
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: sale.createdAt,
    typedData: expect.objectContaining({ primaryType: 'Listing' }),
  } satisfies Record<keyof NftSale, unknown>);
  for (const caller of [holder.signedIn, admin]) expect(await read(id, caller)).toEqual(sale);
  expect(await read(id.toUpperCase())).toEqual(sale);
});

it('asks for the signature of the step that comes next, and for none at the end', async () => {
  const draft = await draftSale(holder, sql);
  const stepOf = async () => {
    const { state, typedData } = await read(draft.id);
    return [state, typedData?.primaryType ?? null, Object.keys(typedData?.types ?? {})];
  };
  expect(await stepOf()).toEqual(['DRAFT', 'Listing', ['EIP712Domain', 'Listing']]);
  const listed = dataOf<NftSale>(await handIn(holder, draft));
  expect(await stepOf()).toEqual(['LISTED', 'Cancellation', ['EIP712Domain', 'Cancellation']]);
  dataOf(await handIn(holder, listed));
  expect(await stepOf()).toEqual(['CANCELLED', null, []]);
  await sql(`UPDATE nft_sales SET state = 'SOLD' WHERE id = $1`, [draft.id]);
  expect(await stepOf()).toEqual(['SOLD', null, []]);
});

it.each([
  ['draft', draftSale],
  ['listed sale', listSale],
])('asks for no signature of a %s whose time is over', async (_name, open) => {
  const sale = await open(holder, sql);
  await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 millisecond' WHERE id = $1`, [sale.id]);
  expect(await read(sale.id)).toMatchObject({ state: sale.state, typedData: null });
});
