import { isDeepStrictEqual } from 'node:util';
import type { NewShipment, Shipment, ShipmentChange } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { AdministratorScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { checkWebAddress } from '../../../lib/check-web-address.ts';
import { ApiError, notFound } from '../../../lib/errors/api-error.ts';
import { auditChange } from '../../audit/audit-rules.ts';
import { lockOrderWithLines, queueOrderState } from '../state/order-state-queries.ts';
import { describeUnits, readQuantities, unsentOf } from '../to-lines.ts';
import { insertShipment, lockShipment, toShipment, updateShipmentRow } from './shipment-queries.ts';

/** Records a parcel with units of an approved order, with an audit row. The order is SHIPPED when nothing is left to send. */
export async function shipOrder(
  tx: RunInTransaction,
  scope: AdministratorScope,
  orderId: string,
  { carrier, trackingNumber, trackingUrl, orderLines }: NewShipment,
): Promise<Shipment> {
  if (trackingUrl !== undefined) checkWebAddress('trackingUrl', trackingUrl);
  const locked = await lockOrderWithLines(tx, orderId);
  if (!locked) throw notFound('Order');
  const { order, lines } = locked;
  if (order.orderStatus === 'CANCELLED' || order.orderStatus === 'DELIVERED') {
    throw new ApiError('ORDER_CLOSED', {
      message: `An order that is ${order.orderStatus} is not sent any more`,
    });
  }
  if (order.paymentStatus === 'REFUNDED') {
    throw new ApiError('ORDER_CLOSED', { message: 'An order that was refunded is not sent any more' });
  }
  if (order.adminApproval !== 'VERIFIED') {
    throw new ApiError('ORDER_NOT_APPROVED', { message: 'Only an approved order is sent' });
  }
  const quantities = orderLines
    ? readQuantities(order.id, lines, orderLines)
    : new Map(lines.map((line) => [line, unsentOf(line)]));
  const sent = [...quantities].filter(([, quantity]) => quantity > 0);
  if (sent.length === 0) throw new ApiError('SHIPMENT_TOO_LARGE', { message: 'Nothing is left to send' });
  for (const [line, quantity] of sent) {
    if (quantity > unsentOf(line)) {
      throw new ApiError('SHIPMENT_TOO_LARGE', {
        message: `Of ${line.name}, ${describeUnits(unsentOf(line))} left to send`,
      });
    }
  }
  const isComplete = lines.every((line) => unsentOf(line) === (quantities.get(line) ?? 0));
  const orderStatus = isComplete || order.orderStatus === 'SHIPPED' ? 'SHIPPED' : 'PROCESSING';
  const stored = sent.map(([{ number }, quantity]) => ({ number, quantity }));
  queueOrderState(tx, { ...order, orderStatus });
  const shipment = await insertShipment(tx, order, {
    carrier,
    trackingNumber: trackingNumber ?? null,
    trackingUrl: trackingUrl ?? null,
    lines: stored,
  });
  auditChange(tx, scope, 'ORDER', order.id, {
    before: { orderStatus: order.orderStatus },
    after: { orderStatus, shipmentId: shipment.id, carrier, trackingNumber: shipment.trackingNumber },
  });
  return toShipment(shipment, order.id);
}

/** Corrects carrier or tracking of a parcel, with an audit row. */
export async function updateShipment(
  database: Database,
  scope: AdministratorScope,
  { orderId, shipmentId }: { readonly orderId: string; readonly shipmentId: string },
  change: ShipmentChange,
): Promise<Shipment> {
  if (change.trackingUrl) checkWebAddress('trackingUrl', change.trackingUrl);
  return database.transaction(scope, async (tx) => {
    const shipment = await lockShipment(tx, orderId, shipmentId);
    if (!shipment) throw notFound('Shipment');
    const { carrier, trackingNumber, trackingUrl } = shipment;
    const before = { carrier, trackingNumber, trackingUrl };
    const after = { ...before, ...change };
    // What is the same already is no change, and no event.
    const updated = isDeepStrictEqual(before, after)
      ? shipment
      : await updateShipmentRow(tx, shipmentId, after);
    auditChange(tx, scope, 'ORDER', orderId, { before, after });
    return toShipment(updated, orderId.toLowerCase());
  });
}
