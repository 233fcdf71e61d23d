import type { NftSale, NftSalePage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale, handIn, listSale } from '../../support/nft-sales.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

const list = async (query = '', caller: Pick<typeof holder, 'ask'> = holder): Promise<NftSalePage> =>
  dataOf<NftSalePage>(await caller.ask('GET', `/marketplace/nfts/sale${query}`));
const ids = ({ sales }: NftSalePage) => sales.map(({ id }) => id);

const oldest = await draftSale(holder, sql, '1');
dataOf(await holder.ask('DELETE', `/marketplace/nfts/sale/${oldest.id}`));
const cancelled = await listSale(holder, sql, '3');
await handIn(holder, cancelled);
const sold = await listSale(holder, sql, '4');
await sql(`UPDATE nft_sales SET state = 'SOLD' WHERE id = $1`, [sold.id]);
const listed = await listSale(holder, sql, '2.50');
// Two of the same moment: the id decides. All in another order than the one they were made in.
const twins = [sold.id, cancelled.id].sort().reverse();
for (const [minutesAgo, id] of [
  [5, oldest.id],
  [3, sold.id],
  [3, cancelled.id],
  [1, listed.id],
] as const) {
  await sql(
    `UPDATE nft_sales SET created_at = date_trunc('minute', now()) - make_interval(mins => $2) WHERE id = $1`,
    [id, minutesAgo],
  );
}
const all = [listed.id, ...twins, oldest.id];
const other = await draftSale(sibling, sql);
const theirs = await listSale(stranger, sql, '9');

it('returns the sales of the digital key, the newest first', async () => {
  const page = await list();
  expect(ids(page)).toEqual(all);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 4,
    totalCount: 4,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
  expect(await list('', holder.signedIn)).toEqual(page);
});

it('returns only the sales of the credential’s digital key, also if the wallet has others', async () => {
  expect(ids(await list('', sibling))).toEqual([other.id]);
  for (const caller of [holder, holder.signedIn]) {
    expect(ids(await list('', caller))).toEqual(all);
    expect(await list(`?tokenId=${sibling.tokenId}`, caller)).toMatchObject({
      sales: [],
      pageMetaDto: { itemCount: 0 },
    });
  }
});

it('returns every sale as it is read alone', async () => {
  const { sales } = await list();
  for (const sale of sales) {
    expect(sale).toEqual(dataOf(await holder.ask('GET', `/marketplace/nfts/sale/${sale.id}`)));
  }
  expect(sales[0]).toEqual({
    id: listed.id,
    tokenId: listed.tokenId,
    seller: holder.account.address,
    price: '2.5',
    currency: 'ETH',
    state: 'LISTED',
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    typedData: expect.objectContaining({ primaryType: 'Cancellation' }),
  } satisfies Record<keyof NftSale, unknown>);
});

it('filters by token, seller and state, and by all of them together', async () => {
  expect(ids(await list(`?tokenId=${holder.tokenId}`))).toEqual(all);
  expect(ids(await list('?tokenId=9999999999999999'))).toEqual([]);
  for (const [state, expected] of [
    ['DRAFT', []],
    ['LISTED', [listed.id]],
    ['CANCELLED', all.filter((id) => id === cancelled.id || id === oldest.id)],
    ['SOLD', [sold.id]],
  ] as const) {
    expect([state, ids(await list(`?state=${state}`))]).toEqual([state, expected]);
  }
  expect(ids(await list('?state=DRAFT', sibling))).toEqual([other.id]);
  const { address } = holder.account;
  for (const seller of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    expect(ids(await list(`?seller=${seller}`))).toEqual(all);
  }
  expect(ids(await list(`?tokenId=${sold.tokenId}&seller=${address}&state=SOLD`))).toEqual([sold.id]);
  expect(await list(`?tokenId=${sold.tokenId}&state=DRAFT`)).toMatchObject({
    sales: [],
    pageMetaDto: { itemCount: 0, pageCount: 0 },
  });
});

it('ignores an empty filter', async () => {
  expect(ids(await list('?state='))).toEqual(all);
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&take=1`)));
  expect(pages.flatMap(ids)).toEqual(all);
  expect(pages[1]?.pageMetaDto).toEqual({
    page: 2,
    take: 1,
    itemCount: 4,
    totalCount: 4,
    pageCount: 4,
    hasPreviousPage: true,
    hasNextPage: true,
  });
  expect(await list('?page=3&take=2')).toMatchObject({ sales: [], pageMetaDto: { itemCount: 4 } });
  expect(ids(await list('?limit=2'))).toEqual(all.slice(0, 2));
});

it('never shows data of another holder', async () => {
  expect(ids(await list('', stranger))).toEqual([theirs.id]);
  for (const query of [
    `?tokenId=${theirs.tokenId}`,
    `?seller=${stranger.account.address}`,
    `?seller=${stranger.account.address}&state=LISTED`,
  ]) {
    expect(await list(query)).toMatchObject({ sales: [], pageMetaDto: { itemCount: 0 } });
  }
});

it('shows an administrator the sales of all', async () => {
  expect(ids(await list(`?seller=${holder.account.address}&tokenId=${holder.tokenId}`, admin))).toEqual(all);
  expect(ids(await list(`?seller=${stranger.walletAddress}`, admin))).toEqual([theirs.id]);
  const everybodys = ids(await list('?take=1000', admin));
  expect(everybodys).toEqual(expect.arrayContaining([...all, theirs.id]));
  expect(ids(await list(`?tokenId=${theirs.tokenId}&state=LISTED`, admin))).toEqual([theirs.id]);
});
