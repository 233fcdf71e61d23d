import type {
  NewOrder,
  OrderChart,
  OrderChartQuery,
  OrderHistory,
  OrderListQuery,
  OrderPage,
  OrderSummary,
  OrderWithLines,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { OrderExport, type OrderExportFilters, type ReadCsv } from './order-export.ts';
import { path } from './path.ts';

/** From the cart to the delivered order. */
export class Orders {
  readonly #call: Call;
  readonly #readCsv: ReadCsv;

  constructor(call: Call, readCsv: ReadCsv) {
    this.#call = call;
    this.#readCsv = readCsv;
  }

  /** Turns the cart of a client into an order; once, however often it has to be sent. */
  create(order: NewOrder, options?: CallOptions): Promise<OrderWithLines> {
    return this.#call('POST', '/dapp/orders', { ...options, body: order });
  }

  /** One page of the orders that match, the newest first. */
  list(query: OrderListQuery = {}, options?: CallOptions): Promise<OrderPage> {
    return this.#call('GET', '/dapp/orders', { ...options, query });
  }

  /** One order with its lines. */
  async get(orderId: string, options?: CallOptions): Promise<OrderWithLines> {
    return this.#call('GET', path`/dapp/orders/${orderId}`, options);
  }

  /** All states that an order went through. */
  async history(orderId: string, options?: CallOptions): Promise<OrderHistory> {
    return this.#call('GET', path`/dapp/orders/${orderId}/history`, options);
  }

  /** How many orders there are of which state, and what they brought. */
  summary(options?: CallOptions): Promise<OrderSummary> {
    return this.#call('GET', '/dapp/orders/summary', options);
  }

  /** Orders and revenue by day, week or month. */
  chart(query: OrderChartQuery = {}, options?: CallOptions): Promise<OrderChart> {
    return this.#call('GET', '/dapp/orders/chart-data', { ...options, query });
  }

  /** All orders that match: one by one (`for await`), by pages, or as a CSV file. */
  export(filters: OrderExportFilters = {}, options?: CallOptions): OrderExport {
    return new OrderExport(this.#call, this.#readCsv, filters, options);
  }
}
