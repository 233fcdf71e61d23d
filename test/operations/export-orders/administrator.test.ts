import type { OrderPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { everyOrderBy, idsBy, insertOrder, type SortableOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, stranger, sibling, admin, sql } = await openStorefront();

// A day on which nobody else orders, since the platform is that of all files of the worker.
const day = new Date(Date.UTC(1950, 0, 1 + holder.tokenId)).toISOString().slice(0, 10);
const orders: (SortableOrder & { tokenId: number })[] = [];
for (const [at, { tokenId }] of [stranger, holder, sibling, holder].entries()) {
  const client = await insertClient(sql, tokenId);
  const order = {
    invoiceNumber: `KF-PLATFORM-${holder.tokenId}-${at}`,
    createdAt: `${day}T12:00:00.00${at % 3}Z`,
    updatedAt: `${day}T12:00:00.00${at % 2}Z`,
    totalAmount: 10 + (at % 2),
  };
  orders.push({ ...order, tokenId, id: await insertOrder(sql, tokenId, client.id, order) });
}

const address = (query: Record<string, string>) =>
  `/orders/export?${new URLSearchParams({ orderBy: '', startDate: day, endDate: day, search: '', searchBy: '', status: '', paymentStatus: '', adminApproval: '', ...query })}`;
const ask = async (query: Record<string, string> = {}) =>
  dataOf<OrderPage>(await admin.ask('GET', address(query)));

it('returns an administrator the whole platform, counted right, before and after compaction', async () => {
  for (let round = 0; round < 2; round++) {
    const page = await ask();
    expect(page.orders.map(({ id }) => id)).toEqual(idsBy('', orders));
    expect(page.orders.map(({ nft }) => nft.tokenId).sort()).toEqual(
      orders.map(({ tokenId }) => tokenId).sort(),
    );
    expect(page.pageMetaDto).toMatchObject({ itemCount: 4, hasNextPage: false, nextCursor: null });
    const part = await ask({ startDate: `${day}T12:00:00.001Z` });
    expect(part.pageMetaDto.itemCount).toBe(2);
    await compactOrderCounters(service.database, new AbortController().signal);
  }
});

it.each(everyOrderBy)('sorts the whole platform by %j, on pages and behind cursors', async (orderBy) => {
  const first = await ask({ orderBy, take: '2' });
  const second = await ask({ orderBy, take: '2', page: '2' });
  const behind = await ask({ orderBy, take: '2', cursor: first.pageMetaDto.nextCursor ?? '' });
  expect([...first.orders, ...second.orders].map(({ id }) => id)).toEqual(idsBy(orderBy, orders));
  expect(behind.orders).toEqual(second.orders);
});

it('searches the whole platform', async () => {
  const found = await ask({ search: `platform-${holder.tokenId}-`, startDate: '', endDate: '' });
  expect(found.pageMetaDto.itemCount).toBe(4);
});

it('returns an administrator the file of the whole platform too', async () => {
  const reply = await admin.ask('GET', address({}), { headers: { accept: 'text/csv' } });
  const lines = reply.text.split('\r\n').slice(1, -1);
  expect(lines.map((line) => line.slice(0, 36))).toEqual(idsBy('', orders));
});

it('returns only the holder’s own orders of that day', async () => {
  const page = dataOf<OrderPage>(await holder.ask('GET', address({})));
  expect(page.orders.map(({ nft }) => nft.tokenId)).toEqual([holder.tokenId, holder.tokenId]);
  expect(page.pageMetaDto.itemCount).toBe(2);
});
