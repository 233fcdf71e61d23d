import type { Order, OrderPage, OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import {
  everyOrderBy,
  idsBy,
  insertOrder,
  insertReadyClient,
  plainOrderFields,
} from '../../support/order-data.ts';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();
const { tokenId } = holder;

const list = async (query: Record<string, string> = {}, caller: TestCaller = holder) => {
  const text = new URLSearchParams(query).toString();
  return dataOf<OrderPage>(await caller.ask('GET', `/dapp/orders${text && `?${text}`}`));
};
const ids = ({ orders }: OrderPage) => orders.map(({ id }) => id);

const ada = await insertClient(sql, tokenId, { email: 'ada@example.org' });
const eve = await insertClient(sql, tokenId, { firstName: 'Eve', lastName: '100%', email: 'eve@mail.test' });
const adaAsListed = { id: ada.id, firstName: 'Ada', lastName: 'Example', email: ada.email };
const eveAsListed = { id: eve.id, firstName: 'Eve', lastName: '100%', email: eve.email };

const sheet: Pick<
  Order,
  'client' | 'createdAt' | 'updatedAt' | 'totalAmount' | 'orderStatus' | 'paymentStatus' | 'adminApproval'
>[] = [
  {
    client: adaAsListed,
    createdAt: '2026-03-02T12:00:00.000Z',
    updatedAt: '2026-03-04T00:00:00.000Z',
    totalAmount: 9,
    orderStatus: 'PENDING',
    paymentStatus: 'PENDING',
    adminApproval: 'PENDING',
  },
  {
    client: eveAsListed,
    createdAt: '2026-03-02T12:00:00.000Z',
    updatedAt: '2026-03-03T00:00:00.000Z',
    totalAmount: 10,
    orderStatus: 'SHIPPED',
    paymentStatus: 'PAID',
    adminApproval: 'VERIFIED',
  },
  {
    client: adaAsListed,
    createdAt: '2026-03-01T23:59:59.999Z',
    updatedAt: '2026-03-04T00:00:00.000Z',
    totalAmount: 9,
    orderStatus: 'CANCELLED',
    paymentStatus: 'FAILED',
    adminApproval: 'REJECTED',
  },
];
const orders: Order[] = [];
for (const [at, row] of sheet.entries()) {
  // Against the order of creation.
  const invoiceNumber = `KF-LIST-${tokenId}-${9 - at}`;
  const { client, ...columns } = row;
  const rejectionNote = row.adminApproval === 'REJECTED' ? 'Not for the list.' : null;
  const id = await insertOrder(sql, tokenId, client.id, {
    ...columns,
    invoiceNumber,
    rejectionNote,
    totalQuantity: 3,
  });
  orders.push({
    ...row,
    ...plainOrderFields,
    status: row.orderStatus,
    id,
    invoiceNumber,
    subTotal: row.totalAmount,
    deliveryCharge: 0,
    totalQuantity: 3,
    currency: 'EUR',
    nft: { tokenId },
  });
}
const [first, shipped, cancelled] = orders.map(({ id }) => id);
const newest = idsBy('', orders);

const foreign: string[] = [];
for (const other of [stranger, sibling]) {
  const client = await insertClient(sql, other.tokenId, { email: 'ada@example.org' });
  const invoiceNumber = `KF-LIST-${tokenId}-OF-${other.tokenId}`;
  foreign.push(client.id);
  await insertOrder(sql, other.tokenId, client.id, { invoiceNumber, createdAt: '2026-03-02T12:00:00.000Z' });
}

it('returns all orders of the digital key with every field, the newest first', async () => {
  const page = await list();
  expect(page).toEqual({
    orders: newest.map((id) => orders.find((order) => order.id === id)),
    pageMetaDto: {
      page: 1,
      take: 10,
      itemCount: 3,
      totalCount: 3,
      pageCount: 1,
      hasPreviousPage: false,
      hasNextPage: false,
      nextCursor: null,
    },
  });
  expect(await list({}, holder.signedIn)).toEqual(page);
});

it('accepts the former name of a paid order as a filter', async () => {
  expect(ids(await list({ paymentStatus: 'COMPLETED' }))).toEqual([shipped]);
});

it.each(everyOrderBy)('comes sorted by %j, on pages and behind cursors alike', async (orderBy) => {
  const expected = idsBy(orderBy, orders);
  expect(ids(await list({ orderBy }))).toEqual(expected);
  const start = await list({ orderBy, take: '2' });
  expect(start.pageMetaDto).toMatchObject({ itemCount: 3, pageCount: 2, hasNextPage: true });
  expect([...ids(start), ...ids(await list({ orderBy, take: '2', page: '2' }))]).toEqual(expected);
  const rest = await list({ orderBy, take: '2', cursor: start.pageMetaDto.nextCursor ?? '' });
  expect([...ids(start), ...ids(rest)]).toEqual(expected);
  expect(rest.pageMetaDto).toMatchObject({
    itemCount: 3,
    hasPreviousPage: true,
    hasNextPage: false,
    nextCursor: null,
  });
});

describe('filters', () => {
  it.each<[Record<string, string>, (string | undefined)[]]>([
    [{ status: 'SHIPPED' }, [shipped]],
    [{ paymentStatus: 'FAILED' }, [cancelled]],
    [{ adminApproval: 'VERIFIED' }, [shipped]],
    [{ startDate: '2026-03-01', endDate: '2026-03-01' }, [cancelled]],
    [{ endDate: '2026-03-02T11:59:59.999Z' }, [cancelled]],
    [{ startDate: '2026-03-03' }, []],
    [{ search: 'eve 100%' }, [shipped]],
    [{ search: '%' }, [shipped]],
    [{ search: 'mail.test', searchBy: 'email' }, [shipped]],
    [{ search: 'mail.test', searchBy: 'clientName' }, []],
    [{ search: `list-${tokenId}-7`, searchBy: 'invoiceNumber' }, [cancelled]],
    [{ clientId: eve.id }, [shipped]],
    [{ clientId: eve.id.toUpperCase() }, [shipped]],
    [{ clientId: ada.id, status: 'PENDING' }, [first]],
    [{ clientId: ada.id, search: 'eve' }, []],
    [{ clientId: unknownId }, []],
  ])('leave what matches %j, and count it', async (query, expected) => {
    const page = await list(query);
    expect(ids(page)).toEqual(expected);
    expect(page.pageMetaDto.itemCount).toBe(expected.length);
  });

  it('are ignored if empty', async () => {
    const names = ['orderBy', 'startDate', 'endDate', 'search', 'searchBy', 'status', 'paymentStatus'];
    const empty = [...names, 'adminApproval', 'cursor'].map((name) => [name, '']);
    expect(ids(await list(Object.fromEntries(empty)))).toEqual(newest);
  });
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all(['1', '2', '3'].map((page) => list({ page, take: '1' })));
  expect(pages.flatMap(ids)).toEqual(newest);
  expect(pages[1]?.pageMetaDto).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
  expect(await list({ page: '4', take: '1' })).toMatchObject({ orders: [], pageMetaDto: { itemCount: 3 } });
  expect(ids(await list({ limit: '2' }))).toEqual(newest.slice(0, 2));
});

it('never shows data of another holder or of another digital key of the holder', async () => {
  for (const [at, other] of [stranger, sibling].entries()) {
    const theirs = await list({}, other);
    expect(theirs.orders.map(({ nft }) => nft.tokenId)).toEqual([other.tokenId]);
    expect(theirs.pageMetaDto.itemCount).toBe(1);
    expect((await list({ clientId: ada.id }, other)).pageMetaDto.itemCount).toBe(0);
    expect((await list({ clientId: foreign[at] ?? '' })).pageMetaDto.itemCount).toBe(0);
    expect((await list({ search: `-OF-${other.tokenId}` })).pageMetaDto.itemCount).toBe(0);
  }
  expect((await list({ search: 'ada' })).pageMetaDto.itemCount).toBe(2);
});

it('shows an order as soon as it is placed, and as soon as it moves', async () => {
  const other = await openStorefront();
  const { clientId } = await insertReadyClient(sql, other.holder.tokenId);
  const placed = dataOf<OrderWithLines>(
    await other.holder.ask('POST', '/dapp/orders', { body: { clientId } }),
  );
  expect(ids(await list({ status: 'PENDING' }, other.holder))).toEqual([placed.id]);
  await admin.ask('PATCH', `/admin/orders/${placed.id}`, {
    body: { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' },
  });
  expect((await list({ status: 'PENDING' }, other.holder)).pageMetaDto.itemCount).toBe(0);
  expect((await list({ status: 'SHIPPED' }, other.holder)).pageMetaDto.itemCount).toBe(1);
});
