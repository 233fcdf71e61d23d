import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Client, Order, OrderPage } from '../generated/types.ts';
import { Keyfront } from '../keyfront.ts';
import type { PageList } from './page-list.ts';

/** A service with a list of clients, newest first. `beforeRead` runs before each request. */
function openService(
  count: number,
  beforeRead: (clients: { id: number }[], requests: number) => void = () => {},
) {
  const clients = Array.from({ length: count }, (_, at) => ({ id: count - at }));
  const queries: string[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { searchParams } = new URL(String(input));
    queries.push(searchParams.toString());
    signals.push(init?.signal);
    beforeRead(clients, queries.length);
    const page = Number(searchParams.get('page') ?? 1);
    const take = Number(searchParams.get('take') ?? searchParams.get('limit') ?? 10);
    const pageCount = Math.ceil(clients.length / take);
    const data = {
      clients: clients.slice((page - 1) * take, page * take),
      pageMetaDto: { page, take, itemCount: clients.length, pageCount, hasNextPage: page < pageCount },
    };
    return Response.json({ success: true, statusCode: 200, message: 'Success', data });
  };
  return {
    keyfront: new Keyfront({ baseUrl: 'https://shop.example', fetch, maxAttempts: 1 }),
    queries,
    signals,
  };
}

async function collect(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const item of list) ids.push((item as { id: unknown }).id);
  return ids;
}

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

it('ends with the reason of an abort, before the rest of the page', async () => {
  const controller = new AbortController();
  const { keyfront } = openService(25);
  const ids: number[] = [];
  const reading = (async () => {
    for await (const { id } of keyfront.clients.list({}, { signal: controller.signal })) {
      ids.push(Number(id));
      if (ids.length === 3) controller.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
  expect(ids).toEqual(range(25, 23));
});

describe('awaiting a list', () => {
  it('returns one page', async () => {
    const { keyfront, queries } = openService(25);
    const { clients, pageMetaDto } = await keyfront.clients.list({ search: 'ada' });
    expect(clients).toHaveLength(10);
    expect(pageMetaDto.itemCount).toBe(25);
    expect(queries).toEqual(['search=ada']);
  });

  it('sends one request, however often it is awaited', async () => {
    const { keyfront, queries } = openService(25);
    const list = keyfront.clients.list();
    expect(queries).toEqual([]);
    const [first, second] = await Promise.all([list, list]);
    expect(first).toBe(second);
    expect(queries).toHaveLength(1);
  });

  it('behaves as a promise', async () => {
    const { keyfront } = openService(0);
    const steps: string[] = [];
    await keyfront.clients.list().finally(() => steps.push('finally'));
    steps.push(await keyfront.clients.list().then(() => 'then'));
    const failing = new Keyfront({
      baseUrl: 'https://shop.example',
      fetch: () => Promise.reject(new TypeError('fetch failed')),
      maxAttempts: 1,
    });
    await failing.clients.list().catch(({ name }) => steps.push(`catch ${name}`));
    await failing.clients.list().then(null, ({ name }) => steps.push(`then ${name}`));
    expect(steps).toEqual(['finally', 'then', 'catch ConnectionError', 'then ConnectionError']);
  });

  it('has the types of a page and of an item', () => {
    const { keyfront } = openService(0);
    expectTypeOf(keyfront.orders.list()).toEqualTypeOf<PageList<OrderPage, Order>>();
    expectTypeOf<Awaited<ReturnType<typeof keyfront.orders.list>>>().toEqualTypeOf<OrderPage>();
    expectTypeOf(keyfront.clients.list()).toExtend<AsyncIterable<Client>>();
  });
});

describe('iterating over a list by page number', () => {
  it('returns all items, 100 per request', async () => {
    const { keyfront, queries } = openService(250);
    expect(await collect(keyfront.clients.list({ search: 'ada' }))).toEqual(range(250, 1));
    expect(queries).toEqual([
      'search=ada&take=100',
      'search=ada&take=100&page=2',
      'search=ada&take=100&page=3',
    ]);
  });

  it.each([{ take: 2 }, { limit: 2 }])('uses the page size and the page of the query: %j', async (size) => {
    const { keyfront, queries } = openService(7);
    const [[name, value] = []] = Object.entries(size);
    expect(await collect(keyfront.clients.list({ ...size, page: 2 }))).toEqual(range(5, 1));
    expect(queries).toEqual([2, 3, 4].map((page) => `${name}=${value}&page=${page}`));
  });

  it('ends at an empty list', async () => {
    const { keyfront, queries } = openService(0);
    expect(await collect(keyfront.clients.list())).toEqual([]);
    expect(queries).toHaveLength(1);
  });

  it('reads no page that is not needed', async () => {
    const { keyfront, queries } = openService(7);
    for await (const _client of keyfront.clients.list({ take: 2 })) break;
    expect(queries).toHaveLength(1);
  });

  it('returns whole pages too', async () => {
    const { keyfront } = openService(7);
    const counts: number[] = [];
    for await (const { clients } of keyfront.clients.list({ take: 3 }).pages()) counts.push(clients.length);
    expect(counts).toEqual([3, 3, 1]);
  });

  it('passes the call options to each request', async () => {
    const controller = new AbortController();
    const { keyfront, queries } = openService(7, (_clients, requests) => {
      if (requests === 2) controller.abort(new Error('enough'));
    });
    await expect(collect(keyfront.clients.list({ take: 2 }, { signal: controller.signal }))).rejects.toThrow(
      'enough',
    );
    expect(queries).toHaveLength(2);
  });

  it('returns each item once if new ones are added at the front', async () => {
    const { keyfront } = openService(9, (clients, requests) => {
      if (requests > 1) clients.unshift({ id: 100 + requests });
    });
    expect(await collect(keyfront.clients.list({ take: 3 }))).toEqual(range(9, 1));
  });

  it('ends if items are removed', async () => {
    const { keyfront } = openService(9, (clients, requests) => {
      if (requests === 2) clients.length = 1;
    });
    expect(await collect(keyfront.clients.list({ take: 3 }))).toEqual([9, 8, 7]);
  });

  it('ends with an error if the list grows as fast as it is read', async () => {
    const { keyfront, queries } = openService(4, (clients) => {
      clients.unshift({ id: clients.length + 1 }, { id: clients.length + 2 });
    });
    await expect(collect(keyfront.clients.list({ take: 2 }))).rejects.toThrow(
      'grows faster than it can be read',
    );
    expect(queries).toHaveLength(6);
  });
});

describe('iterating over a list without pages', () => {
  it('sends one request', async () => {
    const sent: string[] = [];
    const fetch = async (input: string | URL | Request) => {
      sent.push(String(input));
      const data = { planets: [{ id: 'a' }, { id: 'b' }] };
      return Response.json({ success: true, statusCode: 200, message: 'Success', data });
    };
    const keyfront = new Keyfront({ baseUrl: 'https://shop.example', fetch });
    expect(await collect(keyfront.planets.list())).toEqual(['a', 'b']);
    expect(sent).toEqual(['https://shop.example/api/v1/planets']);
  });

  it('keeps items without an id', async () => {
    const data = { history: [{ stage: 'LEADS' }, { stage: 'LEADS' }] };
    const fetch = async () => Response.json({ success: true, statusCode: 200, message: 'Success', data });
    const keyfront = new Keyfront({ baseUrl: 'https://shop.example', fetch });
    expect(await collect(keyfront.orders.history('7'))).toHaveLength(2);
  });
});

describe('iterating over a list by cursor', () => {
  function openOrders(nextCursors: (string | null)[], pageCount = nextCursors.length) {
    const queries: string[] = [];
    const fetch = async (input: string | URL | Request) => {
      const at = queries.push(new URL(String(input)).search) - 1;
      const data = {
        orders: [{ id: String(at) }],
        pageMetaDto: { pageCount, hasNextPage: true, nextCursor: nextCursors[at % nextCursors.length] },
      };
      return Response.json({ success: true, statusCode: 200, message: 'Success', data });
    };
    return { keyfront: new Keyfront({ baseUrl: 'https://shop.example', fetch }), queries };
  }

  it('follows the cursor to its end', async () => {
    const { keyfront, queries } = openOrders(['a', 'b', null]);
    expect(await collect(keyfront.orders.list({ status: 'PENDING', page: 1 }))).toEqual(['0', '1', '2']);
    expect(queries).toEqual([
      '?status=PENDING&page=1&take=100',
      '?status=PENDING&take=100&cursor=a',
      '?status=PENDING&take=100&cursor=b',
    ]);
  });

  it('starts at the cursor of the query', async () => {
    const { keyfront, queries } = openOrders([null]);
    expect(await collect(keyfront.orders.list({ cursor: 'z', take: 5 }))).toEqual(['0']);
    expect(queries).toEqual(['?cursor=z&take=5']);
  });

  it('fails if the cursor does not move on', async () => {
    const { keyfront, queries } = openOrders(['a', 'a']);
    await expect(collect(keyfront.orders.list())).rejects.toThrow('the same cursor twice');
    expect(queries).toHaveLength(2);
  });

  it('ends with an error if the list never ends', async () => {
    const { keyfront, queries } = openOrders(['a', 'b'], 3);
    await expect(collect(keyfront.orders.list())).rejects.toThrow('grows faster than it can be read');
    expect(queries).toHaveLength(6);
  });
});
