import type { Order, OrderPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { everyOrderBy, idsBy, insertOrder, plainOrderFields } from '../../support/order-data.ts';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, stranger, sibling, sql } = await openStorefront();
const { tokenId } = holder;

const nothingAsked = {
  orderBy: '',
  startDate: '',
  endDate: '',
  search: '',
  searchBy: '',
  status: '',
  paymentStatus: '',
  adminApproval: '',
};
const address = (query: Record<string, string>) =>
  `/orders/export?${new URLSearchParams({ ...nothingAsked, ...query })}`;
const exportOrders = async (query: Record<string, string> = {}, caller: TestCaller = holder) =>
  dataOf<OrderPage>(await caller.ask('GET', address({ take: '1000', ...query })));
const ids = ({ orders }: OrderPage) => orders.map(({ id }) => id);

/** The ids of the lines of the CSV file. */
async function idsInFile(query: Record<string, string>, caller: TestCaller = holder): Promise<string[]> {
  const reply = await caller.ask('GET', address(query), { headers: { accept: 'text/csv' } });
  expect(reply.status).toBe(200);
  const lines = reply.text.split('\r\n').slice(1, -1);
  return lines.map((line) => line.slice(0, 36));
}

/** Expects exactly these orders, in this order, on the page, in its count and in the file. */
async function expectOrders(query: Record<string, string>, expected: readonly string[]): Promise<void> {
  const page = await exportOrders(query);
  const what = JSON.stringify(query);
  expect(ids(page), what).toEqual(expected);
  expect(page.pageMetaDto.itemCount, what).toBe(expected.length);
  expect(await idsInFile(query), what).toEqual(expected);
}

const people = {
  ada: { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' },
  eve: { firstName: 'Eve', lastName: 'Adams', email: 'eve@mail.test' },
  odd: { firstName: '50%_off\\', lastName: `O'Brien "and" Co`, email: 'per%cent_\\@odd.test' },
  // What % and _ would match if they were more than themselves.
  plain: { firstName: '50xyoffz', lastName: 'Obrien', email: 'perXcentYY@plain.test' },
};
const clientIds = {
  ada: (await insertClient(sql, tokenId, people.ada)).id,
  eve: (await insertClient(sql, tokenId, people.eve)).id,
  odd: (await insertClient(sql, tokenId, people.odd)).id,
  plain: (await insertClient(sql, tokenId, people.plain)).id,
};

/** Ties in every field but the invoice number, and no two fields in the same order. */
const sheet: [keyof typeof people, string, Partial<Order>][] = [
  [
    'ada',
    'F',
    { createdAt: '2026-03-02T12:00:00.000Z', updatedAt: '2026-03-09T00:00:00.000Z', totalAmount: 9 },
  ],
  [
    'eve',
    'A',
    { createdAt: '2026-03-01T00:00:00.000Z', updatedAt: '2026-03-09T00:00:00.000Z', totalAmount: 10 },
  ],
  [
    'odd',
    'H',
    {
      createdAt: '2026-03-01T23:59:59.999Z',
      updatedAt: '2026-03-09T00:00:00.000Z',
      totalAmount: 9,
      orderStatus: 'CANCELLED',
    },
  ],
  [
    'ada',
    'B',
    {
      createdAt: '2026-03-02T00:00:00.000Z',
      updatedAt: '2026-03-08T00:00:00.000Z',
      totalAmount: 100,
      orderStatus: 'PROCESSING',
      adminApproval: 'VERIFIED',
    },
  ],
  [
    'eve',
    'G',
    {
      createdAt: '2026-03-02T12:00:00.000Z',
      updatedAt: '2026-03-10T00:00:00.000Z',
      totalAmount: 9,
      orderStatus: 'SHIPPED',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
    },
  ],
  [
    'plain',
    'C',
    {
      createdAt: '2026-03-02T12:00:00.000Z',
      updatedAt: '2026-03-07T00:00:00.000Z',
      totalAmount: 0.01,
      paymentStatus: 'PROCESSING',
    },
  ],
  [
    'ada',
    'E',
    {
      createdAt: '2026-03-03T23:59:59.999Z',
      updatedAt: '2026-03-06T00:00:00.000Z',
      totalAmount: 10,
      orderStatus: 'CANCELLED',
      paymentStatus: 'REFUNDED',
      adminApproval: 'REJECTED',
    },
  ],
  [
    'eve',
    'D',
    {
      createdAt: '2028-02-29T10:00:00.000Z',
      updatedAt: '2028-02-29T10:00:00.000Z',
      totalAmount: 1000,
      orderStatus: 'DELIVERED',
      paymentStatus: 'FAILED',
      adminApproval: 'VERIFIED',
    },
  ],
];
const orders: Order[] = [];
for (const [name, letter, fields] of sheet) {
  const invoiceNumber = `KF-${tokenId}-EXPORT-${letter}`;
  const columns = {
    orderStatus: 'PENDING',
    paymentStatus: 'PENDING',
    adminApproval: 'PENDING',
    totalAmount: 1,
    createdAt: '',
    updatedAt: '',
    ...fields,
  } as const;
  const clientId = clientIds[name];
  const id = await insertOrder(sql, tokenId, clientId, { ...columns, invoiceNumber });
  const client = { id: clientId, ...people[name] };
  orders.push({
    ...columns,
    ...plainOrderFields,
    status: columns.orderStatus,
    id,
    invoiceNumber,
    subTotal: columns.totalAmount,
    deliveryCharge: 0,
    totalQuantity: 1,
    currency: 'EUR',
    client,
    nft: { tokenId },
  });
}
/** The ids of those that are meant, the newest first. */
const newest = (isMeant: (order: Order) => boolean = () => true) => idsBy('', orders.filter(isMeant));
const letters = (wanted: string) => newest(({ invoiceNumber }) => wanted.includes(invoiceNumber.slice(-1)));

for (const other of [stranger, sibling]) {
  const client = await insertClient(sql, other.tokenId, { email: 'ada@example.org' });
  await insertOrder(sql, other.tokenId, client.id, {
    invoiceNumber: `KF-${tokenId}-EXPORT-OF-${other.tokenId}`,
    createdAt: '2026-03-02T12:00:00.000Z',
  });
}

describe('the page', () => {
  it('has every field of each order, and what it is a page of', async () => {
    const page = await exportOrders();
    expect(page).toEqual({
      orders: newest().map((id) => orders.find((order) => order.id === id)),
      pageMetaDto: {
        page: 1,
        take: 1000,
        itemCount: 8,
        totalCount: 8,
        pageCount: 1,
        hasPreviousPage: false,
        hasNextPage: false,
        nextCursor: null,
      },
    });
    expect(await exportOrders({}, holder.signedIn)).toEqual(page);
  });

  it('holds ten when nothing is said, and takes `limit` for `take`', async () => {
    const reply = await holder.ask('GET', address({}));
    expect(dataOf<OrderPage>(reply).pageMetaDto).toMatchObject({ page: 1, take: 10, itemCount: 8 });
    expect(ids(dataOf<OrderPage>(await holder.ask('GET', address({ limit: '3' }))))).toEqual(
      newest().slice(0, 3),
    );
  });

  it('is empty behind the last one, and keeps the count', async () => {
    expect(await exportOrders({ take: '5', page: '3' })).toEqual({
      orders: [],
      pageMetaDto: {
        page: 3,
        take: 5,
        itemCount: 8,
        totalCount: 8,
        pageCount: 2,
        hasPreviousPage: true,
        hasNextPage: false,
        nextCursor: null,
      },
    });
    expect(ids(await exportOrders({ page: '2147483647' }))).toEqual([]);
  });
});

describe.each(everyOrderBy)('sorted by %j', (orderBy) => {
  it('comes in that order, ties by id, on pages, behind cursors and in the file', async () => {
    const expected = idsBy(orderBy, orders);
    await expectOrders({ orderBy }, expected);
    const byPage: string[] = [];
    for (let page = 1; page <= 3; page++) {
      byPage.push(...ids(await exportOrders({ orderBy, take: '3', page: String(page) })));
    }
    expect(byPage).toEqual(expected);
    const byCursor: string[] = [];
    let query: Record<string, string> = {};
    for (let left = 8; left > 0; left -= 3) {
      const page = await exportOrders({ orderBy, take: '3', ...query });
      byCursor.push(...ids(page));
      const { hasPreviousPage, hasNextPage, itemCount, nextCursor } = page.pageMetaDto;
      expect({ hasPreviousPage, hasNextPage, itemCount }).toEqual({
        hasPreviousPage: left < 8,
        hasNextPage: left > 3,
        itemCount: 8,
      });
      expect(nextCursor === null).toBe(left <= 3);
      query = { cursor: nextCursor ?? '' };
    }
    expect(byCursor).toEqual(expected);
  });
});

describe('a cursor', () => {
  it('goes on where its page ended, whatever came in before it meanwhile, and takes no notice of `page`', async () => {
    const late = await openStorefront();
    const client = await insertClient(sql, late.holder.tokenId);
    const place = (createdAt: string) => insertOrder(sql, late.holder.tokenId, client.id, { createdAt });
    const placed: string[] = [];
    for (const day of ['01', '02', '03', '04']) placed.unshift(await place(`2026-03-${day}T00:00:00.000Z`));
    const { pageMetaDto } = await exportOrders({ take: '2' }, late.holder);
    await place('2026-03-05T00:00:00.000Z');
    const query = { take: '2', cursor: pageMetaDto.nextCursor ?? '', page: '7' };
    expect(ids(await exportOrders(query, late.holder))).toEqual(placed.slice(2));
  });

  it('goes together with filters, which still count all that matches', async () => {
    const query = { take: '1', endDate: '2026-03-02', adminApproval: 'VERIFIED' };
    const first = await exportOrders(query);
    expect(first.pageMetaDto.itemCount).toBe(2);
    const second = await exportOrders({ ...query, cursor: first.pageMetaDto.nextCursor ?? '' });
    expect([...ids(first), ...ids(second)]).toEqual(letters('GB'));
    expect(second.pageMetaDto).toMatchObject({ itemCount: 2, hasNextPage: false, nextCursor: null });
  });
});

describe('a filter', () => {
  it('of a state leaves the orders in that state, before and after compaction', async () => {
    for (let round = 0; round < 2; round++) {
      for (const status of ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']) {
        await expectOrders(
          { status },
          newest(({ orderStatus }) => orderStatus === status),
        );
      }
      for (const paymentStatus of ['PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED']) {
        await expectOrders(
          { paymentStatus },
          newest((order) => order.paymentStatus === paymentStatus),
        );
      }
      for (const adminApproval of ['PENDING', 'VERIFIED', 'REJECTED']) {
        await expectOrders(
          { adminApproval },
          newest((order) => order.adminApproval === adminApproval),
        );
      }
      await compactOrderCounters(service.database, new AbortController().signal);
    }
  });

  it('of time takes a day as a whole and a point in time to the millisecond', async () => {
    const ranges: [startDate: string, endDate: string, letters: string][] = [
      ['2026-03-01', '2026-03-01', 'AH'],
      ['2026-03-02', '2026-03-02', 'BCFG'],
      ['2026-03-01', '2026-03-02', 'AHBCFG'],
      ['2026-03-02', '', 'BCFGED'],
      ['', '2026-03-01', 'AH'],
      ['2026-03-04', '2026-03-31', ''],
      ['2028-02-29', '2028-02-29', 'D'],
      ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 'A'],
      ['2026-03-01T00:00:00.001Z', '2026-03-01T23:59:59.998Z', ''],
      ['2026-03-01T00:00:00.001Z', '2026-03-02T00:00:00.000Z', 'HB'],
      ['2026-03-01T23:59:59.999Z', '2026-03-02T11:59:59.999Z', 'HB'],
      ['2026-03-01T12:00:00Z', '2026-03-03T12:00:00Z', 'HBCFG'],
      ['2026-03-02T12:00:00Z', '', 'CFGED'],
      ['', '2026-03-02T12:00:00Z', 'AHBCFG'],
      ['2026-03-02T12:00:00.001Z', '2026-03-03', 'E'],
      ['2026-03-02T01:00:00+01:00', '2026-03-02T13:00+01:00', 'BCFG'],
      ['2026-03-02 12:00', '2026-03-02', 'CFG'],
      ['0001-01-01', '9999-12-31', 'AHBCFGED'],
      ['0001-01-01T00:00:00.001Z', '9999-12-31T23:59:59.998Z', 'AHBCFGED'],
    ];
    for (let round = 0; round < 2; round++) {
      for (const [startDate, endDate, wanted] of ranges) {
        await expectOrders({ startDate, endDate }, letters(wanted));
      }
      await compactOrderCounters(service.database, new AbortController().signal);
    }
  });

  it('of time may begin on the last day there is, and end on the first', async () => {
    await expectOrders({ startDate: '9999-12-31T12:00:00Z' }, []);
    await expectOrders({ startDate: '9999-12-31T23:59:59.999Z' }, []);
    await expectOrders({ endDate: '0001-01-01T12:00:00Z' }, []);
    await expectOrders({ endDate: '0001-01-01' }, []);
  });

  it.each<[search: string, searchBy: string, letters: string]>([
    ['ada', '', 'FBEAGD'],
    ['ADA', 'clientName', 'FBEAGD'],
    ['ada', 'email', 'FBE'],
    ['ada', 'invoiceNumber', ''],
    ['Ada Ex', 'clientName', 'FBE'],
    ['Ada Ex', '', 'FBE'],
    ['Mail.Test', 'email', 'AGD'],
    ['mail.test', 'clientName', ''],
    ['export-c', 'invoiceNumber', 'C'],
    ['Export-C', '', 'C'],
    ['export-c', 'email', ''],
    ['50%', '', 'H'],
    ['%_', 'clientName', 'H'],
    ['0%', 'clientName', 'H'],
    ['f\\', 'clientName', 'H'],
    ['\\', '', 'H'],
    ['%', '', 'H'],
    ['_', '', 'H'],
    ['r%c', 'email', 'H'],
    ['t_\\@', 'email', 'H'],
    ["o'b", 'clientName', 'H'],
    ['"AND"', 'clientName', 'H'],
    ["' OR true --", '', ''],
    [' ', 'clientName', 'FBEAGDHC'],
    ['ada ', 'email', ''],
    ['🌱', '', ''],
  ])('that searches for %j in %j finds what contains it, literally', async (search, searchBy, wanted) => {
    await expectOrders({ search, searchBy }, letters(wanted));
  });

  it('that only says where to search is none', async () => {
    await expectOrders({ searchBy: 'email' }, newest());
  });

  it('goes together with all others', async () => {
    const query = {
      orderBy: 'totalAmount',
      startDate: '2026-03-02',
      endDate: '2026-03-02',
      search: 'ada',
      searchBy: 'clientName',
      status: 'SHIPPED',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
    };
    await expectOrders(query, letters('G'));
    await expectOrders({ ...query, status: 'PENDING' }, []);
  });
});

it('never shows data of another holder or of another digital key of the holder', async () => {
  const own = newest();
  for (const query of [{}, { search: 'ada' }, { search: 'EXPORT-OF' }, { startDate: '2026-03-02' }]) {
    const page = await exportOrders(query);
    expect(page.pageMetaDto.itemCount).toBe(page.orders.length);
    for (const id of [...ids(page), ...(await idsInFile(query))]) expect(own).toContain(id);
  }
  for (const other of [stranger, sibling]) {
    const page = await exportOrders({ search: 'ada' }, other);
    expect(page.orders.map(({ nft }) => nft.tokenId)).toEqual([other.tokenId]);
    expect(page.pageMetaDto.itemCount).toBe(1);
    expect(await idsInFile({}, other)).toEqual(ids(page));
  }
});
