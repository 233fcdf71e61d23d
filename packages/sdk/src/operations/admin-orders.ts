import type {
  AdminOrderChange,
  AdminOrderListQuery,
  AdminOrderPage,
  OrderWithLines,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The orders of all digital keys. */
export class AdminOrders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page of the orders that match. */
  list(query: AdminOrderListQuery = {}, options?: CallOptions): Promise<AdminOrderPage> {
    return this.#call('GET', '/admin/orders', { ...options, query });
  }

  /** Moves an order on, or rejects it. */
  async update(orderId: string, change: AdminOrderChange, options?: CallOptions): Promise<OrderWithLines> {
    return this.#call('PATCH', path`/admin/orders/${orderId}`, { ...options, body: change });
  }
}
