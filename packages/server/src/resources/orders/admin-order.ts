import type { AdminOrderDetails, OrderDetails, PackingSlipQuery, Shipment } from '@keyfront/protocol';
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

/** Gets an order of any digital key, or throws the 404. */
export async function getOrderOfPlatform(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
): Promise<Omit<OrderDetails, 'orderDetails'>> {
  const order = await findOrderDetails(database.within(scope), orderId);
  if (!order) throw notFound('Order');
  return order;
}

/** Finds the parcel that a query names, or throws the 404. Null if it names none. */
export function findShipment(
  { shipments }: Pick<OrderDetails, 'shipments'>,
  { shipmentId }: PackingSlipQuery,
): Shipment | null {
  if (shipmentId === undefined) return null;
  const shipment = shipments.find(({ id }) => id === shipmentId.toLowerCase());
  if (!shipment) throw notFound('Shipment');
  return shipment;
}
