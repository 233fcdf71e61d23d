import type { OrderDetails, OrderHistory } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { notInScope } from '../../lib/errors/api-error.ts';
import { findOrderDetails, listOrderHistory, orderExists } from './order-queries.ts';

export { listOrdersAt, listOrdersOfClient } from './order-queries.ts';
export { listShipmentsAt } from './shipping/shipment-queries.ts';
export { returnStock } from './state/order-state-queries.ts';

/** Gets an order with its lines, or throws the 404 or 403. */
export async function getOrder(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<OrderDetails> {
  const order =
    (await findOrderDetails(database.within(scope), orderId)) ??
    (await throwOrderNotInScope(database, orderId));
  return { ...order, orderDetails: order };
}

/** Gets all states of an order. Every order has at least its initial state. */
export async function getOrderHistory(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<OrderHistory> {
  const history = await listOrderHistory(database, scope, orderId);
  return history.length > 0 ? { history } : throwOrderNotInScope(database, orderId);
}

/** Throws the 403 for an order of another digital key, or the 404 for an order that does not exist. */
export async function throwOrderNotInScope(database: Database, orderId: string): Promise<never> {
  throw notInScope('Order', await orderExists(database, orderId));
}
