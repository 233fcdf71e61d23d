import { type PagePosition, walkPages } from './walk-pages.ts';

/** Reads a page. Without a position: the page that the query selects. */
export type ReadPage<Page> = (position?: PagePosition & { readonly take?: number }) => Promise<Page>;

// biome-ignore lint/suspicious/noExplicitAny: `Promise` declares the reason like this.
type OnRejected<Result> = ((reason: any) => Result | PromiseLike<Result>) | null;

type ListQuery = Readonly<Record<string, unknown>>;

/** Fewer requests than with the default of the service, without large responses for callers who stop early. */
const iterationTake = 100;

/**
 * A list of the service. Await it for one page, or iterate over it for all items of all pages:
 *
 * ```ts
 * const { orders } = await keyfront.orders.list({ take: 5 });
 * for await (const order of keyfront.orders.list({ status: 'SHIPPED' })) console.log(order.id);
 * ```
 *
 * Nothing is sent before it is awaited or iterated.
 */
export class PageList<Page extends object, Item> implements Promise<Page>, AsyncIterable<Item> {
  readonly #readPage: ReadPage<Page>;
  readonly #field: keyof Page;
  readonly #query: ListQuery;
  readonly #signal: AbortSignal | undefined;
  #awaited: Promise<Page> | undefined;
  readonly [Symbol.toStringTag] = 'PageList';

  constructor(readPage: ReadPage<Page>, field: keyof Page, query: ListQuery = {}, signal?: AbortSignal) {
    this.#readPage = readPage;
    this.#field = field;
    this.#query = query;
    this.#signal = signal;
  }

  /**
   * Iterates over all items, starting with the page or cursor of the query. `take` is the number of items per request; the
   * default is 100. An item that moves to the next page while the list is read is returned once.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let previousIds = new Set<unknown>();
    for await (const page of this.pages()) {
      const items = page[this.#field] as Item[];
      for (const item of items) {
        // The caller may abort while they hold an item.
        this.#signal?.throwIfAborted();
        if (!previousIds.has(idOf(item))) yield item;
      }
      previousIds = new Set(items.map(idOf).filter((id) => id !== undefined));
    }
  }

  /** Iterates over all pages, starting with the page or cursor of the query. */
  pages(): AsyncGenerator<Page, void, undefined> {
    const { page, cursor, take, limit } = this.#query;
    const start = {
      ...(typeof page === 'number' && { page }),
      ...(typeof cursor === 'string' && { cursor }),
    };
    const size = take === undefined && limit === undefined ? { take: iterationTake } : {};
    return walkPages((position) => this.#readPage({ ...size, ...position }), start);
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited like a promise, but sends nothing before that.
  then<Result = Page, Alternative = never>(
    onFulfilled?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onRejected?: OnRejected<Alternative>,
  ): Promise<Result | Alternative> {
    return this.#firstPage().then(onFulfilled, onRejected);
  }

  catch<Alternative = never>(onRejected?: OnRejected<Alternative>): Promise<Page | Alternative> {
    return this.#firstPage().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page> {
    return this.#firstPage().finally(onFinally);
  }

  #firstPage(): Promise<Page> {
    this.#awaited ??= this.#readPage();
    return this.#awaited;
  }
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
