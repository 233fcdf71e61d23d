import { describe, expect, it } from 'vitest';
import type { RequestOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { OrderExport, type OrderExportFilters } from './order-export.ts';

const noFilters = {
  orderBy: '',
  startDate: '',
  endDate: '',
  search: '',
  searchBy: '',
  status: '',
  paymentStatus: '',
  adminApproval: '',
};

/** An export of a service with these pages. */
function open(filters: OrderExportFilters, pages: string[][] = [[]], options?: RequestOptions) {
  const asked: RequestOptions[] = [];
  const call = (async (_method: string, _path: string, request: RequestOptions) => {
    const at = asked.push(request) - 1;
    return {
      orders: (pages[at] ?? []).map((id) => ({ id })),
      pageMetaDto: { nextCursor: at + 1 < pages.length ? `after ${at}` : null },
    };
  }) as Call;
  const files: RequestOptions[] = [];
  const readCsv = (_path: string, request: RequestOptions) => {
    files.push(request);
    return new ReadableStream<Uint8Array>();
  };
  return { orders: new OrderExport(call, readCsv, filters, options), asked, files };
}

describe('one by one', () => {
  it('walks all pages by cursor', async () => {
    const { orders, asked } = open({ status: 'SHIPPED' }, [['a', 'b'], ['c'], []]);
    const ids: string[] = [];
    for await (const { id } of orders) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(asked.map(({ query }) => query)).toEqual([
      { ...noFilters, status: 'SHIPPED', take: 1000, cursor: null },
      { ...noFilters, status: 'SHIPPED', take: 1000, cursor: 'after 0' },
      { ...noFilters, status: 'SHIPPED', take: 1000, cursor: 'after 1' },
    ]);
  });

  it('asks for nothing more than is read', async () => {
    const { orders, asked } = open({}, [['a', 'b'], ['c']]);
    expect(asked).toEqual([]);
    for await (const _order of orders) break;
    expect(asked).toHaveLength(1);
  });

  it('begins anew each time', async () => {
    const { orders, asked } = open({ take: 5 });
    for await (const _order of orders);
    for await (const _order of orders);
    expect(asked.map(({ query }) => query)).toEqual([
      { ...noFilters, take: 5, cursor: null },
      { ...noFilters, take: 5, cursor: null },
    ]);
  });
});

it('gives one page by its number', async () => {
  const { orders, asked } = open({ take: 5 }, [['a'], ['b']]);
  expect((await orders.page(3)).orders).toEqual([{ id: 'a' }]);
  expect(asked[0]?.query).toEqual({ ...noFilters, take: 5, page: 3 });
});

it('asks for a file with all filters and without pages', () => {
  const { orders, files } = open({ take: 5, search: 'ada' }, [], { headers: { 'x-request-id': 'r-1' } });
  orders.csv();
  expect(files).toEqual([
    { headers: { 'x-request-id': 'r-1', accept: 'text/csv' }, query: { ...noFilters, search: 'ada' } },
  ]);
});

it('takes a filter that is undefined for none', async () => {
  // @ts-expect-error Programs with looser types hand it in.
  const { orders, asked } = open({ search: undefined });
  await orders.page(1);
  expect(asked[0]?.query).toEqual({ ...noFilters, page: 1 });
});

it('refuses a filter that does not exist', () => {
  // @ts-expect-error Programs without types misspell it.
  expect(() => open({ statuz: 'SHIPPED' })).toThrow('There is no filter of the name statuz');
});
