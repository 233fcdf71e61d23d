import type { CallOptions } from '../call-options.ts';
import { GeneratedOrdersResource } from '../generated/resources.ts';
import type { CreatedOrder, NewOrder, OrderWithLines } from '../generated/types.ts';
import { OrderExport, type OrderExportFilters } from './order-export.ts';

type DirectOrder = NewOrder & {
  readonly paymentFlow: Exclude<NonNullable<NewOrder['paymentFlow']>, 'INVOICE'>;
};

/** Orders from checkout to delivery, with statistics and export. */
export class OrdersResource extends GeneratedOrdersResource {
  // The response to an order that is paid at once has a link. A schema cannot say what depends on the request.
  override create(newOrder: DirectOrder, options?: CallOptions): Promise<CreatedOrder & { payUrl: string }>;
  override create(newOrder: NewOrder, options?: CallOptions): Promise<CreatedOrder>;
  override create(newOrder: NewOrder, options?: CallOptions): Promise<CreatedOrder> {
    return super.create(newOrder, options);
  }

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

  /**
   * Cancel an order that nobody has worked on. Returns the stock once. Cancelling it again is a no-op.
   *
   * `PATCH /dapp/orders/{orderId}`
   */
  cancel(orderId: string, options?: CallOptions): Promise<OrderWithLines> {
    return this.update(orderId, { orderStatus: 'CANCELLED' }, options);
  }
}
