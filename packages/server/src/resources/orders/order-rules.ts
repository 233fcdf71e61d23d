import type { OrderHistory, OrderWithLines } from '@keyfront/protocol';
import { notInScope } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import { findOrder, listOrderHistory, orderExists } from './order-queries.ts';

/** The order with its lines, or the 404 or 403. */
export async function getOrder(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<OrderWithLines> {
  return (await findOrder(database.within(scope), orderId)) ?? (await refuseOrder(database, orderId));
}

/** Every state the order was in. There is always one: that of the moment when it was placed. */
export async function getOrderHistory(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<OrderHistory> {
  const history = await listOrderHistory(database, scope, orderId);
  return history.length > 0 ? { history } : refuseOrder(database, orderId);
}

async function refuseOrder(database: Database, orderId: string): Promise<never> {
  throw notInScope('Order', await orderExists(database, orderId));
}
