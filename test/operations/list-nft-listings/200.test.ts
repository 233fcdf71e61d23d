import type { NftListing, NftListingPage, NftSale } from '@keyfront/protocol';
import { hashTypedData, recoverAddress } from 'viem';
import { expect, it } from 'vitest';
import { draftSale, handIn, listSale, signTypedData, typedDataOf } from '../../support/nft-sales.ts';
import { dataOf, openStorefront, type TestHolder } from '../../support/storefront.ts';

const { holder, sibling, stranger, addDigitalKey, admin, sql } = await openStorefront();

const list = async (query: string, caller: Pick<typeof holder, 'ask'> = stranger) =>
  dataOf<NftListingPage>(await caller.ask('GET', `/marketplace/nfts/listings?${query}`));
const ids = ({ listings }: NftListingPage) => listings.map(({ id }) => id);
const listingsOf = async ({ tokenId }: TestHolder) => (await list(`tokenId=${tokenId}`)).listings;

/** A planet of this file alone, and its digital keys with prices. Other files list theirs at the same time. */
const [planet] = await sql<{ id: string; number: number; name: string }>(
  `INSERT INTO planets (number, name) SELECT max(number) + 1, 'Low ' || gen_random_uuid() FROM planets
   RETURNING id, number, name`,
);
if (!planet) throw new Error('The planet was not inserted');
const prices = ['1.5', '0.000000000000000001', '900000000000000000.5', '2', '2', '10'];
const sellers = await Promise.all(prices.map(() => addDigitalKey()));
await sql('UPDATE digital_keys SET planet_id = $1 WHERE token_id = ANY ($2)', [
  planet.id,
  sellers.map(({ tokenId }) => tokenId),
]);
const sales: NftSale[] = [];
for (const [index, seller] of sellers.entries()) sales.push(await listSale(seller, sql, prices[index]));
const own = `planet=${planet.number}`;

it('shows a listing of another holder, with all that a buyer needs', async () => {
  const draft = await draftSale(holder, sql, '0.750');
  const signature = await signTypedData(holder.account, typedDataOf(draft));
  const listed = dataOf<NftSale>(await handIn(holder, draft));
  for (const caller of [stranger, stranger.signedIn, sibling, holder, admin]) {
    const { listings, pageMetaDto } = await list(`tokenId=${holder.tokenId}`, caller);
    expect(listings).toEqual([
      {
        id: draft.id,
        tokenId: holder.tokenId,
        planet: { number: 1, name: 'Verdane' },
        seller: holder.account.address,
        price: '0.75',
        currency: 'ETH',
        listedAt: listed.updatedAt,
        expiresAt: draft.expiresAt,
        typedData: typedDataOf(draft),
        signature,
      } satisfies NftListing,
    ]);
    expect(pageMetaDto).toMatchObject({ itemCount: 1, page: 1 });
  }
});

it('shows the signature of the seller for exactly the listed terms', async () => {
  const [listing] = await listingsOf(sellers[2] as TestHolder);
  if (!listing?.signature) throw new Error('The listing has no signature');
  const typedData = JSON.parse(JSON.stringify(listing.typedData));
  const signer = await recoverAddress({
    hash: hashTypedData(typedData),
    signature: listing.signature as `0x${string}`,
  });
  expect(signer).toBe(listing.seller);
  expect(listing.typedData.message).toMatchObject({
    saleId: `0x${listing.id.replaceAll('-', '')}`,
    tokenId: String(listing.tokenId),
    price: '900000000000000000500000000000000000',
  });
});

it('never shows a draft, a cancelled, a sold or an expired sale', async () => {
  const seller = await addDigitalKey();
  const draft = await draftSale(seller, sql);
  expect(await listingsOf(seller)).toEqual([]);
  const listed = dataOf<NftSale>(await handIn(seller, draft));
  expect(await listingsOf(seller)).toHaveLength(1);
  dataOf(await handIn(seller, listed));
  expect(await listingsOf(seller)).toEqual([]);

  const sold = await addDigitalKey();
  await sql(`UPDATE nft_sales SET state = 'SOLD' WHERE id = $1`, [(await listSale(sold, sql)).id]);
  expect(await listingsOf(sold)).toEqual([]);

  const expired = await addDigitalKey();
  const { id } = await listSale(expired, sql);
  await sql(`UPDATE nft_listings SET expires_at = now() - interval '1 millisecond' WHERE sale_id = $1`, [id]);
  expect(await listingsOf(expired)).toEqual([]);
  await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 millisecond' WHERE id = $1`, [id]);
  dataOf(
    await expired.ask('POST', '/marketplace/nfts/sale', { body: { tokenId: expired.tokenId, price: '1' } }),
  );
  expect(await sql('SELECT FROM nft_listings WHERE sale_id = $1', [id])).toEqual([]);
});

it('shows again what a reorganisation of the chain restores, without a signature if there is none', async () => {
  const seller = await addDigitalKey();
  const { id } = await draftSale(seller, sql);
  await sql(`UPDATE nft_sales SET state = 'LISTED' WHERE id = $1`, [id]);
  expect(await listingsOf(seller)).toMatchObject([{ id, signature: null }]);
  await sql(`UPDATE nft_sales SET state = 'CANCELLED' WHERE id = $1`, [id]);
  await sql(`UPDATE nft_sales SET state = 'LISTED' WHERE id = $1`, [id]);
  // Any query that is not cached.
  expect((await list(`tokenId=${seller.tokenId}&orderBy=price`)).listings).toMatchObject([{ id }]);
});

const byPrice = [1, 0, 3, 4, 5, 2];
/** Of equal prices, the older sale comes first: ids are in the order of time. */
const asc = byPrice.map((index) => sales[index]?.id);
const inTime = sales.map(({ id }) => id);

it.each([
  ['', [...inTime].reverse()],
  ['&orderBy=', [...inTime].reverse()],
  ['&orderBy=desc', [...inTime].reverse()],
  ['&orderBy=asc', inTime],
  ['&orderBy=listedAt', inTime],
  ['&orderBy=listedAt:desc', [...inTime].reverse()],
  ['&orderBy=price', asc],
  ['&orderBy=price:asc', asc],
  ['&orderBy=price:desc', [...asc].reverse()],
  ['&orderBy=expiresAt', inTime],
  ['&orderBy=expiresAt:desc', [...inTime].reverse()],
])('sorts by what %j says', async (orderBy, expected) => {
  expect(ids(await list(own + orderBy))).toEqual(expected);
});

it('sorts by token', async () => {
  const tokens = sellers.map(({ tokenId }) => tokenId).sort((a, b) => a - b);
  const tokenIds = async (orderBy: string) =>
    (await list(`${own}&orderBy=${orderBy}`)).listings.map(({ tokenId }) => tokenId);
  expect(await tokenIds('tokenId')).toEqual(tokens);
  expect(await tokenIds('tokenId:desc')).toEqual(tokens.reverse());
});

it('filters by planet, price, seller and token, and by all of them together', async () => {
  for (const reference of [planet.number, planet.id, planet.name, planet.name.toUpperCase()]) {
    expect(ids(await list(`planet=${encodeURIComponent(reference)}&orderBy=price`))).toEqual(asc);
  }
  expect(ids(await list('planet=nowhere'))).toEqual([]);
  for (const [range, expected] of [
    ['minPrice=2', asc.slice(2)],
    ['minPrice=2.000000000000000001', asc.slice(4)],
    ['maxPrice=2', asc.slice(0, 4)],
    ['maxPrice=1.999999999999999999', asc.slice(0, 2)],
    ['minPrice=1.5&maxPrice=2.0', asc.slice(1, 4)],
    ['minPrice=3&maxPrice=2', []],
    ['minPrice=&maxPrice=', asc],
  ] as const) {
    expect([range, ids(await list(`${own}&${range}&orderBy=price`))]).toEqual([range, expected]);
  }
  const { address } = holder.account;
  for (const seller of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    expect(ids(await list(`${own}&seller=${seller}&orderBy=price`))).toEqual(asc);
  }
  expect(ids(await list(`${own}&seller=${stranger.account.address}`))).toEqual([]);
  const all = `${own}&seller=${address}&tokenId=${sellers[5]?.tokenId}&minPrice=10&maxPrice=10`;
  expect(ids(await list(all))).toEqual([sales[5]?.id]);
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`${own}&orderBy=price&take=2&page=${page}`)));
  expect(pages.flatMap(ids)).toEqual(asc);
  expect(pages[1]?.pageMetaDto).toEqual({
    page: 2,
    take: 2,
    itemCount: 6,
    totalCount: 6,
    pageCount: 3,
    hasPreviousPage: true,
    hasNextPage: true,
  });
  expect(await list(`${own}&page=9&take=2`)).toMatchObject({ listings: [], pageMetaDto: { itemCount: 6 } });
});
