import type { CallOptions } from '../call-options.ts';
import { GeneratedOrdersResource } from '../generated/resources.ts';
import { OrderExport, type OrderExportFilters } from './order-export.ts';

/** Orders from checkout to delivery, with statistics and export. */
export class OrdersResource extends GeneratedOrdersResource {
  /**
   * Export orders.
   *
   * Returns all matching orders: one by one with `for await`, page by page, or as a CSV file. Sends nothing before the
   * export is read. For an administrator the export covers the whole platform.
   *
   * `GET /orders/export`
   */
  export(filters: OrderExportFilters = {}, options?: CallOptions): OrderExport {
    return new OrderExport(this.client, filters, options);
  }
}
