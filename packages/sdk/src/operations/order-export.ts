import type { Order, OrderExportFileQuery, OrderExportQuery, OrderPage } from '@keyfront/protocol';
import type { CallOptions, RequestOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** Filters of an export; one that is not given filters nothing. `take` is the size of a page. */
export type OrderExportFilters = Partial<OrderExportFileQuery> & Pick<OrderExportQuery, 'take'>;

/** Opens a CSV file. */
export type ReadCsv = (path: string, options: RequestOptions) => ReadableStream<Uint8Array>;

const address = '/orders/export';
const largestPage = 1000;

/** All orders that match some filters. Nothing is asked before something is read. */
export class OrderExport implements AsyncIterable<Order> {
  readonly #call: Call;
  readonly #readCsv: ReadCsv;
  readonly #filters: OrderExportFileQuery;
  readonly #take: number | undefined;
  readonly #options: CallOptions | undefined;

  constructor(call: Call, readCsv: ReadCsv, filters: OrderExportFilters, options?: CallOptions) {
    this.#call = call;
    this.#readCsv = readCsv;
    this.#filters = fillIn(filters);
    this.#take = filters.take;
    this.#options = options;
  }

  /** One order after the other, page by page by cursor, so that the last page comes as fast as the first. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Order, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: OrderPage = await this.#ask({ take: this.#take ?? largestPage, cursor });
      yield* page.orders;
      cursor = page.pageMetaDto.nextCursor;
    } while (cursor !== null);
  }

  /** One page, from 1. */
  page(page: number): Promise<OrderPage> {
    return this.#ask({ take: this.#take, page });
  }

  /** The bytes of a CSV file of all of them. Fails when the answer breaks off before its end. */
  csv(): ReadableStream<Uint8Array> {
    const headers = { ...this.#options?.headers, accept: 'text/csv' };
    return this.#readCsv(address, { ...this.#options, headers, query: this.#filters });
  }

  #ask(place: { take: number | undefined; page?: number; cursor?: string | null }): Promise<OrderPage> {
    return this.#call('GET', address, { ...this.#options, query: { ...this.#filters, ...place } });
  }
}

/** The service asks for every filter, so that nobody gets all orders by a misspelt name; nor does anybody here. */
function fillIn(filters: OrderExportFilters): OrderExportFileQuery {
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
  if (name !== undefined) throw new TypeError(`There is no filter of the name ${name}`);
  return { orderBy, startDate, endDate, search, searchBy, status, paymentStatus, adminApproval };
}
