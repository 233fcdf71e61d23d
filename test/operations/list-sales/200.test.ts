import type { Sale, SalePage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

const list = async (query = '', caller: Pick<typeof holder, 'ask'> = holder): Promise<SalePage> =>
  dataOf<SalePage>(await caller.ask('GET', `/dapp/sales${query}`));
const ids = ({ sales }: SalePage) => sales.map(({ id }) => id);

/** A sale that was opened so many minutes after the digital key's own. */
async function insertSale(tokenId: number, clientId: string, stage: string, minutes: number) {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO sales (token_id, client_id, stage, description, created_at)
     SELECT token_id, $2, $3, $4, created_at + make_interval(mins => $5) FROM sales
     WHERE token_id = $1 AND client_id IS NULL RETURNING id`,
    [tokenId, clientId, stage, `after ${minutes} minutes`, minutes],
  );
  return row?.id ?? '';
}

const ada = await insertClient(sql, holder.tokenId);
const ben = await insertClient(sql, holder.tokenId);
// Not entered in the order of their times, so that nothing else can put them right.
const third = await insertSale(holder.tokenId, ada.id, 'CLOSED', 3);
const first = await insertSale(holder.tokenId, ada.id, 'LEADS', 1);
// At the same moment: the id decides.
const twins = [
  await insertSale(holder.tokenId, ben.id, 'ONGOING', 2),
  await insertSale(holder.tokenId, ben.id, 'LEADS', 2),
]
  .sort()
  .reverse();
const [order] = await sql<{ id: string }>(
  `INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
   VALUES ($1, $2, 'KF-LIST-SALES', 20, 2, 'EUR') RETURNING id`,
  [holder.tokenId, ada.id],
);
await sql('UPDATE sales SET order_id = $2 WHERE id = $1', [third, order?.id]);
const [own] = await sql<{ id: string }>('SELECT id FROM sales WHERE token_id = $1 AND client_id IS NULL', [
  holder.tokenId,
]);
const all = [third, ...twins, first, own?.id];
for (const other of [stranger, sibling]) {
  const client = await insertClient(sql, other.tokenId);
  await insertSale(other.tokenId, client.id, 'CLOSED', 9);
}

it('returns the sales of the digital key, its own included, the newest first', async () => {
  const page = await list();
  expect(ids(page)).toEqual(all);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 5,
    totalCount: 5,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
  expect(await list('', holder.signedIn)).toEqual(page);
});

it('returns every field of a sale', async () => {
  const [sale] = (await list('?take=1')).sales;
  expect(sale).toEqual({
    id: third,
    stage: 'CLOSED',
    description: 'after 3 minutes',
    clientId: ada.id,
    client: { id: ada.id, firstName: 'Ada', lastName: 'Example', email: ada.email },
    orderId: order?.id,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  } satisfies Record<keyof Sale, unknown>);
  expect((await list()).sales.at(-1)).toMatchObject({
    stage: 'LEADS',
    clientId: null,
    client: null,
    orderId: null,
  });
});

it('begins with the one that changed last, if asked to', async () => {
  const sorted = '?orderBy=updatedAt:desc';
  const change = (id: string, description: string) =>
    holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { description } });
  const [older = '', newer = ''] = [...twins].reverse();
  for (const id of [third, own?.id ?? '', newer, first, older]) await change(id, 'changed');
  const changed = [older, first, newer, own?.id, third];
  expect(ids(await list(sorted))).toEqual(changed);
  const pages = await Promise.all([1, 2, 3].map((page) => list(`${sorted}&page=${page}&take=2`)));
  expect(pages.flatMap(ids)).toEqual(changed);
  expect(await list(`${sorted}&page=4&take=2`)).toMatchObject({ sales: [], pageMetaDto: { itemCount: 5 } });
  const leads = await list(`${sorted}&stage=LEADS`);
  expect(ids(leads)).toEqual(changed.filter((id) => leads.sales.some((sale) => sale.id === id)));
  expect(leads.pageMetaDto.itemCount).toBe(3);
  expect(ids(await list(`${sorted}&clientId=${ben.id}`))).toEqual([older, newer]);
  expect(ids(await list(`${sorted}&orderId=${order?.id}&stage=CLOSED`))).toEqual([third]);
  expect(ids(await list(`${sorted}&orderId=${order?.id}&stage=LEADS`))).toEqual([]);
  expect(ids(await list('?orderBy='))).toEqual(all);
  expect((await holder.ask('GET', '/dapp/sales?orderBy=description')).status).toBe(400);
});

it('filters by stage, client and order, and by all of them together', async () => {
  expect(ids(await list('?stage=CLOSED'))).toEqual([third]);
  expect((await list('?stage=LEADS')).pageMetaDto.itemCount).toBe(3);
  expect(ids(await list(`?clientId=${ben.id}`))).toEqual(twins);
  expect(ids(await list(`?clientId=${ben.id.toUpperCase()}`))).toEqual(twins);
  expect(ids(await list(`?orderId=${order?.id}`))).toEqual([third]);
  expect(ids(await list(`?orderId=${order?.id}&clientId=${ada.id}&stage=CLOSED`))).toEqual([third]);
  expect(await list(`?orderId=${order?.id}&stage=LEADS`)).toMatchObject({
    sales: [],
    pageMetaDto: { itemCount: 0, pageCount: 0 },
  });
  expect(ids(await list(`?clientId=${unknownId}`))).toEqual([]);
});

it('ignores an empty filter', async () => {
  expect(ids(await list('?stage='))).toEqual(all);
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&take=2`)));
  expect(pages.flatMap(ids)).toEqual(all);
  expect(pages[1]?.pageMetaDto).toEqual({
    page: 2,
    take: 2,
    itemCount: 5,
    totalCount: 5,
    pageCount: 3,
    hasPreviousPage: true,
    hasNextPage: true,
  });
  expect(await list('?page=4&take=2')).toMatchObject({ sales: [], pageMetaDto: { itemCount: 5 } });
  expect(ids(await list('?limit=2'))).toEqual(all.slice(0, 2));
});

it('never shows data of another holder or of another digital key of the holder', async () => {
  for (const other of [stranger, sibling]) {
    const theirs = await list('', other);
    expect(theirs.pageMetaDto.itemCount).toBe(2);
    for (const { id, clientId } of theirs.sales) {
      expect(all).not.toContain(id);
      if (clientId) expect((await list(`?clientId=${clientId}`)).pageMetaDto.itemCount).toBe(0);
    }
    expect((await list(`?orderId=${order?.id}`, other)).pageMetaDto.itemCount).toBe(0);
  }
});
