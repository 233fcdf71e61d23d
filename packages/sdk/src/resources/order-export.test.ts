import { describe, expect, it } from 'vitest';
import { Keyfront } from '../keyfront.ts';
import type { OrderExportFilters } from './order-export.ts';

const noFilters = 'orderBy=&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';

/** Opens an export of a service that has these pages. */
function open(
  filters: OrderExportFilters,
  pages: string[][] = [[]],
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const sent: { query: string; headers: Headers }[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { search, searchParams } = new URL(String(input));
    sent.push({ query: search.slice(1), headers: new Headers(init?.headers) });
    const at = Number(searchParams.get('cursor')?.replace('after', '') ?? -1) + 1;
    const data = {
      orders: (pages[at] ?? []).map((id) => ({ id })),
      pageMetaDto: { pageCount: pages.length, nextCursor: at + 1 < pages.length ? `after${at}` : null },
    };
    return Response.json({ success: true, statusCode: 200, message: 'Success', data });
  };
  const keyfront = new Keyfront({ baseUrl: 'https://shop.example', fetch });
  return { orders: keyfront.orders.export(filters, { headers, ...(signal && { signal }) }), sent };
}

describe('iterating', () => {
  it('reads all pages by cursor', async () => {
    const { orders, sent } = open({ status: 'SHIPPED' }, [['a', 'b'], ['c'], []]);
    const ids: string[] = [];
    for await (const { id } of orders) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    const filters = noFilters.replace('status=&', 'status=SHIPPED&');
    expect(sent.map(({ query }) => query)).toEqual([
      `${filters}&take=1000`,
      `${filters}&take=1000&cursor=after0`,
      `${filters}&take=1000&cursor=after1`,
    ]);
  });

  it('ends with the reason of an abort, before the rest of the page', async () => {
    const controller = new AbortController();
    const { orders } = open({}, [['a', 'b', 'c']], {}, controller.signal);
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of orders) {
        ids.push(id);
        controller.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(ids).toEqual(['a']);
  });

  it('sends no request before it is needed', async () => {
    const { orders, sent } = open({}, [['a', 'b'], ['c']]);
    expect(sent).toEqual([]);
    for await (const _order of orders) break;
    expect(sent).toHaveLength(1);
  });

  it('starts from the beginning each time', async () => {
    const { orders, sent } = open({ take: 5 });
    for await (const _order of orders);
    for await (const _order of orders);
    expect(sent.map(({ query }) => query)).toEqual([`${noFilters}&take=5`, `${noFilters}&take=5`]);
  });

  it('returns whole pages too', async () => {
    const { orders } = open({}, [['a', 'b'], ['c']]);
    const counts: number[] = [];
    for await (const page of orders.pages()) counts.push(page.orders.length);
    expect(counts).toEqual([2, 1]);
  });
});

it('reads one page by its number', async () => {
  const { orders, sent } = open({ take: 5 }, [['a']]);
  expect((await orders.page(3)).orders).toEqual([{ id: 'a' }]);
  expect(sent[0]?.query).toBe(`${noFilters}&take=5&page=3`);
});

it('requests a file with all filters and without pages', async () => {
  const { orders, sent } = open({ take: 5, search: 'ada' }, [], { 'x-request-id': 'r-1' });
  await expect(orders.csv().getReader().read()).rejects.toThrow('not of type text/csv');
  expect(sent[0]?.query).toBe(noFilters.replace('search=&', 'search=ada&'));
  expect(sent[0]?.headers.get('accept')).toBe('text/csv');
  expect(sent[0]?.headers.get('x-request-id')).toBe('r-1');
});

it('treats an undefined filter as no filter', async () => {
  // @ts-expect-error Projects without exactOptionalPropertyTypes can pass it.
  const { orders, sent } = open({ search: undefined });
  await orders.page(1);
  expect(sent[0]?.query).toBe(`${noFilters}&page=1`);
});

it('rejects an unknown filter', () => {
  // @ts-expect-error JavaScript callers can misspell it.
  expect(() => open({ statuz: 'SHIPPED' })).toThrow('statuz is not a filter of the order export');
});
