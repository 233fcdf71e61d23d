import type { Sale, SaleHistory } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

async function openSale(): Promise<Sale> {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  return dataOf<Sale>(await holder.ask('POST', '/dapp/sales', { body: { clientId } }));
}
const change = async (id: string, body: object) =>
  dataOf<Sale>(await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body }));
const historyOf = async (id: string, query = '', caller: { ask: typeof holder.ask } = holder) =>
  dataOf<SaleHistory>(await caller.ask('GET', `/dapp/sales/${id}/history${query}`));

it('returns what the sale was from its opening on, the oldest first, each with its time', async () => {
  const opened = await openSale();
  const moved = await change(opened.id, { stage: 'ONGOING' });
  const described = await change(opened.id, { description: 'Sent an offer' });
  const page = await historyOf(opened.id);
  expect(page).toEqual({
    history: [
      { stage: 'LEADS', description: '', changedAt: opened.createdAt },
      { stage: 'ONGOING', description: '', changedAt: moved.updatedAt },
      { stage: 'ONGOING', description: 'Sent an offer', changedAt: described.updatedAt },
    ],
    pageMetaDto: {
      page: 1,
      take: 10,
      itemCount: 3,
      totalCount: 3,
      pageCount: 1,
      hasPreviousPage: false,
      hasNextPage: false,
    },
  });
  expect(await historyOf(opened.id, '', holder.signedIn)).toEqual(page);
});

it('keeps nothing where nothing changed', async () => {
  const { id } = await openSale();
  await change(id, { stage: 'LEADS', description: '' });
  expect((await historyOf(id)).pageMetaDto.itemCount).toBe(1);
});

it('keeps all of the changes that come at once', async () => {
  const { id } = await openSale();
  const descriptions = Array.from({ length: 12 }, (_, index) => `Call ${index}`);
  await Promise.all(descriptions.map((description) => change(id, { description })));
  const { history } = await historyOf(id, '?take=100');
  expect(history.map(({ description }) => description).sort()).toEqual(['', ...descriptions].sort());
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const { id } = await openSale();
  for (const stage of ['ONGOING', 'CLOSED', 'LEADS', 'CLOSED']) await change(id, { stage });
  const pages = await Promise.all([1, 2, 3].map((page) => historyOf(id, `?page=${page}&take=2`)));
  expect(pages.flatMap(({ history }) => history)).toEqual((await historyOf(id)).history);
  expect(pages[1]?.pageMetaDto).toMatchObject({ itemCount: 5, pageCount: 3, hasNextPage: true });
  expect(await historyOf(id, '?page=9&take=2')).toMatchObject({ history: [], pageMetaDto: { itemCount: 5 } });
});

it('has a history of the own sale too', async () => {
  const own = dataOf<Sale>(await holder.ask('PATCH', '/dapp/sales', { body: { stage: 'ONGOING' } }));
  const { history } = await historyOf(own.id.toUpperCase());
  expect(history.map(({ stage }) => stage)).toEqual(['LEADS', 'ONGOING']);
});
