import type { SentShipment, Shipment } from '@keyfront/protocol';
import { jsonTime } from '../../../database/queries/json-time.ts';
import { convertAt, listAt } from '../../../database/queries/list-at.ts';
import { query } from '../../../database/queries/query.ts';
import { wantedSnapshots } from '../../../database/queries/wanted-snapshots.ts';
import type { LockedOrder } from '../order-record.ts';
import { type StoredQuantity, toQuantities } from '../to-lines.ts';

export type ShipmentRecord = Omit<Shipment, 'orderId' | 'orderLines'> & {
  readonly lines: readonly StoredQuantity[];
};

const columns = `shipments.id, shipments.carrier, shipments.tracking_number AS "trackingNumber",
  shipments.tracking_url AS "trackingUrl", shipments.lines,
  shipments.created_at AS "createdAt", shipments.updated_at AS "updatedAt"`;

/** Composes the list of the shipments of an order, oldest first. */
export const shipmentsOfOrder = `coalesce((
  SELECT json_agg(json_build_object('id', id, 'carrier', carrier, 'trackingNumber', tracking_number, 'trackingUrl', tracking_url,
    'lines', lines, 'createdAt', ${jsonTime('created_at')}, 'updatedAt', ${jsonTime('updated_at')}) ORDER BY id)
  FROM shipments WHERE order_id = orders.id
), '[]')`;

export function toShipment({ lines, ...shipment }: ShipmentRecord, orderId: string): Shipment {
  return { ...shipment, orderId, orderLines: toQuantities(orderId, lines) };
}

export interface ShipmentInput {
  readonly carrier: string;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly lines: readonly StoredQuantity[];
}

/** Inserts a shipment, and counts its units in the lines of the order. */
export const insertShipment = query<ShipmentRecord>(
  'shipments.insert',
  `WITH sent AS (
     UPDATE order_lines SET shipped_quantity = shipped_quantity + units.quantity
     FROM jsonb_to_recordset($6::jsonb) AS units (number smallint, quantity integer)
     WHERE order_id = $1 AND line_number = units.number
   )
   INSERT INTO shipments (order_id, token_id, carrier, tracking_number, tracking_url, lines)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
).get(({ id, tokenId }: LockedOrder, { carrier, trackingNumber, trackingUrl, lines }: ShipmentInput) => [
  id,
  tokenId,
  carrier,
  trackingNumber,
  trackingUrl,
  JSON.stringify(lines),
]);

/** Locks a shipment until the transaction ends. Returns null if the order has no such shipment. */
export const lockShipment = query<ShipmentRecord>(
  'shipments.lock',
  `SELECT ${columns} FROM shipments WHERE order_id = $1 AND id = $2 FOR NO KEY UPDATE`,
).find((orderId: string, shipmentId: string) => [orderId, shipmentId]);

/** Updates carrier and tracking of a shipment. */
export const updateShipmentRow = query<ShipmentRecord>(
  'shipments.update',
  `UPDATE shipments SET carrier = $2, tracking_number = $3, tracking_url = $4 WHERE id = $1 RETURNING ${columns}`,
).get((shipmentId: string, { carrier, trackingNumber, trackingUrl }: Omit<ShipmentInput, 'lines'>) => [
  shipmentId,
  carrier,
  trackingNumber,
  trackingUrl,
]);

interface SentRecord extends ShipmentRecord {
  readonly orderId: string;
  readonly invoiceNumber: string;
  readonly externalReference: string;
  readonly client: SentShipment['client'];
}

/** Lists shipments as they were at these snapshots, in their order. A shipment that is not in the scope is null. */
export const listShipmentsAt = convertAt(
  listAt<SentRecord>(
    'shipments.list-at',
    `SELECT wanted.number, ${columns}, shipments.order_id AS "orderId", orders.invoice_number AS "invoiceNumber",
       orders.external_reference AS "externalReference",
       json_build_object('id', clients.id, 'firstName', clients.first_name, 'lastName', clients.last_name, 'email', clients.email)
         AS client
     FROM ${wantedSnapshots}
     JOIN shipments AS stored ON stored.id = wanted.id
     JOIN orders ON orders.id = stored.order_id
     JOIN clients AS stored_client ON stored_client.id = orders.client_id
     CROSS JOIN LATERAL jsonb_populate_record(stored, wanted.snapshot) AS shipments
     CROSS JOIN LATERAL jsonb_populate_record(stored_client, coalesce(wanted.snapshot -> 'client', '{}')) AS clients`,
    { genericPlan: true },
  ),
  ({ orderId, invoiceNumber, externalReference, client, ...shipment }): SentShipment => ({
    ...toShipment(shipment, orderId),
    invoiceNumber,
    externalReference,
    client,
  }),
);
