import type { CallOptions } from '../call-options.ts';
import { operations } from '../generated/operations.ts';
import type { Order, OrderExportFileQuery, OrderExportQuery, OrderPage } from '../generated/types.ts';
import type { OperationClient } from '../operation-client.ts';
import { type PagePosition, walkPages } from '../paging/walk-pages.ts';

/** Filters of an export. A filter that is left out filters nothing. `take` is the number of orders per page. */
export type OrderExportFilters = Partial<OrderExportFileQuery> & Pick<OrderExportQuery, 'take'>;

const largestTake = 1000;

/** All orders that match the filters. Sends nothing before it is read. */
export class OrderExport implements AsyncIterable<Order> {
  readonly #client: OperationClient;
  readonly #filters: OrderExportFileQuery;
  readonly #take: number | undefined;
  readonly #options: CallOptions | undefined;

  constructor(client: OperationClient, filters: OrderExportFilters, options?: CallOptions) {
    this.#client = client;
    this.#filters = completeFilters(filters);
    this.#take = filters.take;
    this.#options = options;
  }

  /** Iterates over the orders. Pages are read by cursor, so that the last page takes no longer than the first. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Order, void, undefined> {
    for await (const { orders } of this.pages()) {
      for (const order of orders) {
        // The caller may abort while they hold an order.
        this.#options?.signal?.throwIfAborted();
        yield order;
      }
    }
  }

  /** Iterates over the pages. */
  pages(): AsyncGenerator<OrderPage, void, undefined> {
    return walkPages((position) => this.#readPage({ take: this.#take ?? largestTake, ...position }), {});
  }

  /** Reads one page. The first page is number 1. */
  page(page: number): Promise<OrderPage> {
    return this.#readPage({ take: this.#take, page });
  }

  /** Streams a CSV file of all orders. The stream fails if the response is cut off. */
  csv(): ReadableStream<Uint8Array> {
    return this.#client.stream(operations.exportOrders, { query: this.#filters }, 'text/csv', this.#options);
  }

  #readPage(position: PagePosition & { readonly take: number | undefined }): Promise<OrderPage> {
    return this.#client.call(
      operations.exportOrders,
      { query: { ...this.#filters, ...position } },
      this.#options,
    );
  }
}

/**
 * The service requires every filter, so that a misspelt name does not export all orders. The SDK fills in the missing ones
 * and rejects unknown names instead.
 */
function completeFilters(filters: OrderExportFilters): OrderExportFileQuery {
  const {
    orderBy = '',
    startDate = '',
    endDate = '',
    search = '',
    searchBy = '',
    status = '',
    paymentStatus = '',
    adminApproval = '',
    take: _take,
    ...unknown
  } = filters;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`${name} is not a filter of the order export`);
  return { orderBy, startDate, endDate, search, searchBy, status, paymentStatus, adminApproval };
}
