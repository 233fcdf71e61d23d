import type { AdminOrderDetails } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { notFound } from '../../lib/errors/api-error.ts';
import { findClientOfOrder } from '../clients/admin-client-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import { findOrderDetails, listOrderHistory, listOtherOrders } from './order-queries.ts';

/** Gets an order with everything that a decision needs, or throws the 404. */
export async function getAdminOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  kycLinks: ProviderLinks,
): Promise<AdminOrderDetails> {
  const [order, client, history, otherOrders] = await Promise.all([
    findOrderDetails(database.within(scope), orderId),
    findClientOfOrder(database, scope, orderId, kycLinks),
    listOrderHistory(database, scope, orderId),
    listOtherOrders(database, scope, orderId),
  ]);
  if (!order || !client) throw notFound('Order');
  return { ...order, client, history, otherOrders };
}
