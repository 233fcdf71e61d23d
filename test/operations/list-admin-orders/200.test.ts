import type { AdminOrderPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import {
  everyOrderBy,
  idsBy,
  insertOrder,
  plainOrderFields,
  type SortableOrder,
} from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, stranger, sibling, admin, sql } = await openStorefront();

// The files of a worker share a platform: what is ours is told by the digital key, or by this in the invoice number.
const tag = `ADMIN-${holder.tokenId}`;
const list = async (query: Record<string, string>) =>
  dataOf<AdminOrderPage>(await admin.ask('GET', `/admin/orders?${new URLSearchParams(query)}`));
const ids = ({ orders }: AdminOrderPage) => orders.map(({ id }) => id);

const client = await insertClient(sql, holder.tokenId);
const rejected = {
  invoiceNumber: `KF-${tag}-0`,
  orderStatus: 'CANCELLED',
  paymentStatus: 'FAILED',
  adminApproval: 'REJECTED',
  rejectionNote: 'The address is a post box.',
  totalAmount: 52.97,
  totalQuantity: 7,
  createdAt: '2026-01-02T03:04:05.006Z',
  updatedAt: '2026-02-03T04:05:06.007Z',
} as const;
const rejectedId = await insertOrder(sql, holder.tokenId, client.id, rejected);

const orders: (SortableOrder & { tokenId: number; clientId: string })[] = [
  { ...rejected, id: rejectedId, tokenId: holder.tokenId, clientId: client.id },
];
for (const [at, { tokenId }] of [stranger, sibling, stranger].entries()) {
  const { id: clientId } = await insertClient(sql, tokenId);
  const order = {
    invoiceNumber: `KF-${tag}-${9 - at}`,
    createdAt: `2026-03-01T00:00:00.00${at % 2}Z`,
    updatedAt: `2026-04-01T00:00:00.00${(at + 1) % 2}Z`,
    totalAmount: 9,
  };
  orders.push({ ...order, tokenId, clientId, id: await insertOrder(sql, tokenId, clientId, order) });
}
const of = (tokenId: number) => orders.filter((order) => order.tokenId === tokenId);

it('returns every field of an order, the note of a rejection included', async () => {
  expect(await list({ tokenId: String(holder.tokenId) })).toEqual({
    orders: [
      {
        ...rejected,
        id: rejectedId,
        status: rejected.orderStatus,
        subTotal: 52.97,
        deliveryCharge: 0,
        ...plainOrderFields,
        currency: 'EUR',
        client: { id: client.id, firstName: 'Ada', lastName: 'Example', email: client.email },
        nft: { tokenId: holder.tokenId },
      },
    ],
    pageMetaDto: {
      page: 1,
      take: 10,
      itemCount: 1,
      totalCount: 1,
      pageCount: 1,
      hasPreviousPage: false,
      hasNextPage: false,
      nextCursor: null,
    },
  });
});

it('returns the orders of all digital keys, the newest first', async () => {
  const page = await list({ search: tag });
  expect(ids(page)).toEqual(idsBy('', orders));
  expect(page.pageMetaDto.itemCount).toBe(4);
  expect(new Set(page.orders.map(({ nft }) => nft.tokenId)).size).toBe(3);
});

it('counts the whole platform, all days together as well as day by day, before and after compaction', async () => {
  for (let round = 0; round < 2; round++) {
    const together = await list({ take: '1' });
    const byDay = await list({ take: '1', startDate: '0001-01-01', endDate: '9999-12-31' });
    const forReal = await list({ take: '1', search: '@', searchBy: 'email' });
    expect(together.pageMetaDto.itemCount).toBeGreaterThanOrEqual(orders.length);
    expect(byDay.pageMetaDto.itemCount).toBe(together.pageMetaDto.itemCount);
    expect(forReal.pageMetaDto.itemCount).toBe(together.pageMetaDto.itemCount);
    await compactOrderCounters(service.database, new AbortController().signal);
  }
});

it.each(everyOrderBy)('comes sorted by %j, on pages and behind cursors alike', async (orderBy) => {
  const expected = idsBy(orderBy, orders);
  const query = { search: tag, orderBy, take: '3' };
  const start = await list(query);
  expect([...ids(start), ...ids(await list({ ...query, page: '2' }))]).toEqual(expected);
  const rest = await list({ ...query, cursor: start.pageMetaDto.nextCursor ?? '' });
  expect([...ids(start), ...ids(rest)]).toEqual(expected);
  expect(rest.pageMetaDto).toMatchObject({ itemCount: 4, hasNextPage: false, nextCursor: null });
});

describe('filters', () => {
  it('by digital key, counted from counters; empty for an unknown digital key', async () => {
    for (const { tokenId } of [holder, stranger, sibling]) {
      const page = await list({ tokenId: String(tokenId) });
      expect(ids(page)).toEqual(idsBy('', of(tokenId)));
      expect(page.pageMetaDto.itemCount).toBe(of(tokenId).length);
    }
    for (const tokenId of ['0', '9007199254740991', '9007199254740993']) {
      expect(await list({ tokenId })).toMatchObject({ orders: [], pageMetaDto: { itemCount: 0 } });
    }
  });

  it('by client, whoever has it', async () => {
    for (const { clientId, id } of orders) expect(ids(await list({ clientId }))).toEqual([id]);
    const { clientId = '' } = of(sibling.tokenId)[0] ?? {};
    expect(ids(await list({ clientId, tokenId: String(holder.tokenId) }))).toEqual([]);
  });

  it('by state, time and search together with the digital key', async () => {
    const tokenId = String(holder.tokenId);
    const matching: Record<string, string>[] = [
      { status: 'CANCELLED' },
      { paymentStatus: 'FAILED' },
      { adminApproval: 'REJECTED' },
      { startDate: '2026-01-02', endDate: '2026-01-02' },
      { startDate: '2026-01-02T03:04:05.006Z', endDate: '2026-01-02T03:04:05.006Z' },
      { search: client.email.toUpperCase(), searchBy: 'email' },
      { search: 'ada example', searchBy: 'clientName' },
      { search: `${tag}-0`, searchBy: 'invoiceNumber' },
    ];
    for (const query of matching) {
      const page = await list({ ...query, tokenId });
      expect(ids(page), JSON.stringify(query)).toEqual([rejectedId]);
      expect(page.pageMetaDto.itemCount, JSON.stringify(query)).toBe(1);
    }
    const missing: Record<string, string>[] = [
      { status: 'PENDING' },
      { paymentStatus: 'PENDING' },
      { adminApproval: 'VERIFIED' },
      { startDate: '2026-01-02T03:04:05.007Z' },
      { endDate: '2026-01-01' },
      { search: '%' },
    ];
    for (const query of missing) {
      expect((await list({ ...query, tokenId })).pageMetaDto.itemCount, JSON.stringify(query)).toBe(0);
    }
  });

  it('are ignored if empty', async () => {
    const names = ['orderBy', 'startDate', 'endDate', 'searchBy', 'status', 'paymentStatus', 'adminApproval'];
    const empty = Object.fromEntries([...names, 'cursor'].map((name) => [name, '']));
    expect(ids(await list({ ...empty, search: tag }))).toEqual(idsBy('', orders));
  });
});
