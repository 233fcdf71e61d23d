import type { NftSale, Transaction, TransactionPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale, handIn } from '../../support/nft-sales.ts';
import { dataOf, openStorefront, type TestHolder } from '../../support/storefront.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();
const outsider = (await openStorefront()).holder;

const list = async (query = '', caller: Pick<typeof holder, 'ask'> = holder): Promise<TransactionPage> =>
  dataOf<TransactionPage>(await caller.ask('GET', `/marketplace/transactions/user${query}`));
const ids = ({ transactions }: TransactionPage) => transactions.map(({ id }) => id);

/** Unique on the chain. */
const txHash = (number: number) => `0x${String(holder.tokenId * 100 + number).padStart(64, '0')}`;

interface ChainTransaction {
  readonly type: string;
  readonly from: TestHolder | null;
  readonly to: TestHolder | null;
  readonly minute: number;
  readonly price?: string;
  readonly saleId?: string;
}

/** What the chain has told. */
async function insertOnChain({ type, from, to, minute, price, saleId }: ChainTransaction): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO transactions (type, token_id, from_address, to_address, price, currency, sale_id, origin, chain_id, tx_hash,
       log_index, block_number, occurred_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'CHAIN', 1, $8, 0, $9, $10) RETURNING id`,
    [
      type,
      holder.tokenId,
      from?.walletAddress,
      to?.walletAddress,
      price,
      price && 'ETH',
      saleId,
      // In order of their making; the times are in another.
      txHash(made++),
      21_400_000 + minute,
      `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`,
    ],
  );
  return row?.id ?? '';
}
let made = 0;

const draft = await draftSale(holder, sql, '1.250');
const listed = dataOf<NftSale>(await handIn(holder, draft));
dataOf(await handIn(holder, listed));
const [cancel, listing] = ids(await list());

const sold = await draftSale(stranger, sql, '3');
const bought = await insertOnChain({
  type: 'SALE',
  from: stranger,
  to: holder,
  minute: 9,
  price: '3.000000000000000001',
  saleId: sold.id,
});
const mint = await insertOnChain({ type: 'MINT', from: null, to: holder, minute: 1 });
const sent = await insertOnChain({ type: 'TRANSFER', from: holder, to: stranger, minute: 5 });
const received = await insertOnChain({ type: 'TRANSFER', from: stranger, to: holder, minute: 5 });
const toHimself = await insertOnChain({ type: 'TRANSFER', from: holder, to: holder, minute: 3 });
const between = await insertOnChain({ type: 'TRANSFER', from: stranger, to: outsider, minute: 7 });
// At the same moment: the id decides.
const all = [cancel, listing, bought, ...[sent, received].sort().reverse(), toHimself, mint];

it('returns what the wallet gave, got or offered, the newest first, each once', async () => {
  const page = await list();
  expect(ids(page)).toEqual(all);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 7,
    totalCount: 7,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
  expect(await list('', holder.signedIn)).toEqual(page);
  expect(await list('', sibling)).toEqual(page);
});

it('returns every field of what happened on the chain', async () => {
  const { transactions } = await list();
  expect(transactions[2]).toEqual({
    id: bought,
    type: 'SALE',
    tokenId: holder.tokenId,
    from: stranger.account.address,
    to: holder.account.address,
    price: '3.000000000000000001',
    currency: 'ETH',
    txHash: txHash(0),
    blockNumber: 21_400_009,
    timestamp: '2026-01-01T00:09:00.000Z',
    saleId: sold.id,
  } satisfies Transaction);
  expect(transactions.at(-1)).toEqual({
    id: mint,
    type: 'MINT',
    tokenId: holder.tokenId,
    from: null,
    to: holder.account.address,
    price: null,
    currency: null,
    txHash: txHash(1),
    blockNumber: 21_400_001,
    timestamp: '2026-01-01T00:01:00.000Z',
    saleId: null,
  } satisfies Transaction);
});

it('returns what a signature did, which is nowhere on the chain', async () => {
  const [end, beginning] = (await list()).transactions;
  const signed = {
    tokenId: draft.tokenId,
    from: holder.account.address,
    to: null,
    txHash: null,
    blockNumber: null,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    saleId: draft.id,
  };
  expect(beginning).toEqual({ ...signed, id: listing, type: 'LIST', price: '1.25', currency: 'ETH' });
  expect(end).toEqual({ ...signed, id: cancel, type: 'LIST_CANCEL', price: null, currency: null });
});

it('keeps the largest amount of the chain exactly', async () => {
  const own = await openStorefront();
  const price = `${'9'.repeat(59)}.${'9'.repeat(18)}`;
  await sql(
    `INSERT INTO transactions (type, token_id, from_address, price, currency, origin, occurred_at)
     VALUES ('LIST', $1, $2, $3, 'ETH', 'CHAIN', now())`,
    [own.holder.tokenId, own.holder.walletAddress, price],
  );
  expect((await list('', own.holder)).transactions[0]?.price).toBe(price);
});

it('filters by type', async () => {
  for (const [type, expected] of [
    ['MINT', [mint]],
    ['TRANSFER', all.slice(3, 6)],
    ['LIST', [listing]],
    ['LIST_CANCEL', [cancel]],
    ['SALE', [bought]],
    ['', all],
  ] as const) {
    const page = await list(`?type=${type}`);
    expect([type, ids(page), page.pageMetaDto.itemCount]).toEqual([type, expected, expected.length]);
  }
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&take=2`)));
  expect(pages.flatMap(ids)).toEqual(all);
  expect(pages[3]?.pageMetaDto).toEqual({
    page: 4,
    take: 2,
    itemCount: 7,
    totalCount: 7,
    pageCount: 4,
    hasPreviousPage: true,
    hasNextPage: false,
  });
  expect(await list('?page=5&take=2')).toMatchObject({ transactions: [], pageMetaDto: { itemCount: 7 } });
  expect(ids(await list('?limit=3'))).toEqual(all.slice(0, 3));
  expect(ids(await list('?type=TRANSFER&page=2&take=2'))).toEqual([toHimself]);
});

it('shows nothing of what others did among themselves', async () => {
  expect(ids(await list('?take=1000'))).not.toContain(between);
  expect(ids(await list('', outsider))).toEqual([between]);
  expect(ids(await list('', stranger))).toEqual([bought, between, ...all.slice(3, 5)]);
});

it('shows an administrator the transactions of their own wallet', async () => {
  const page = await list('?take=1000', admin);
  for (const id of [...all, between]) expect(ids(page)).not.toContain(id);
  const [row] = await sql<{ id: string }>(
    `INSERT INTO transactions (type, token_id, to_address, origin, occurred_at)
     VALUES ('MINT', $1, $2, 'CHAIN', now()) RETURNING id`,
    [holder.tokenId, admin.walletAddress],
  );
  expect(ids(await list('?take=1000', admin))).toContain(row?.id);
});
