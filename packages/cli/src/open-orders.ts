import type { AdminOrderDetails, Order, OrderDetails, OrderListQuery } from '@keyfront/sdk';
import type { Context } from './context.ts';
import { type ConnectionOptions, clientOptions, createClient } from './create-client.ts';
import { getCredentials } from './credentials/get-credentials.ts';
import { isKeyProfile } from './credentials/profiles.ts';
import { readTokenClaims } from './credentials/token-claims.ts';

interface ReadOptions {
  readonly signal: AbortSignal;
}

/** What holders and administrators read of orders alike. */
export interface OrderReads {
  list(query: OrderListQuery, options: ReadOptions): AsyncIterable<Order>;
  get(orderId: string, options: ReadOptions): Promise<OrderDetails | AdminOrderDetails>;
  invoice(orderId: string, options: ReadOptions): Promise<string>;
}

/** Opens the orders that the profile may read: those of its digital key, or those of the platform for an administrator. */
export async function openOrders(context: Context, options: ConnectionOptions): Promise<OrderReads> {
  const credentials = await getCredentials(context, options);
  const { orders, admin } = createClient(context, credentials, clientOptions(context, options));
  const isAdministrator = !isKeyProfile(credentials) && readTokenClaims(credentials.token)?.isAdministrator;
  return isAdministrator ? admin.orders : orders;
}
