import { statement } from '@keyfront/postgres';
import type { ArchivedClient } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { eraseStoredResponses } from '../../pipeline/idempotency/idempotency-queries.ts';

const returning = `RETURNING id, archived_at AS "archivedAt", erased_at AS "erasedAt"`;

/** Archives a client, if it is not archived already. Returns null if it is not in the scope. */
export const archiveClientRow = query<ArchivedClient>(
  'clients.archive',
  // Inactive too: a checkout that has already read the client fails when it writes the order.
  `UPDATE clients SET archived_at = coalesce(archived_at, now()), is_active = false,
     deactivated_by = coalesce(deactivated_by, 'HOLDER')
   WHERE id = $1 AND token_id = $2 ${returning}`,
).find((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

// Whoever writes about the client, one of its orders or its sales has locked it, and the statements after these see what was written. All of
// them are locked in this order: client, orders, sales.
const lockRow = statement(
  'clients.lock-to-erase',
  'SELECT FROM clients WHERE token_id = $1 AND id = $2 FOR NO KEY UPDATE',
);
const lockOrders = statement(
  'clients.lock-orders-to-erase',
  'SELECT FROM orders WHERE token_id = $1 AND client_id = $2 ORDER BY id FOR NO KEY UPDATE',
);
const lockSales = statement(
  'clients.lock-sales-to-erase',
  'SELECT FROM sales WHERE token_id = $1 AND client_id = $2 ORDER BY id FOR NO KEY UPDATE',
);
// Changing a description writes a line of history, so the history is changed afterwards.
const eraseSales = statement(
  'clients.erase-sales',
  `UPDATE sales SET description = '' WHERE token_id = $1 AND client_id = $2 AND description <> ''`,
);
const eraseSaleHistory = statement(
  'clients.erase-sale-history',
  `UPDATE sale_history SET description = ''
   WHERE token_id = $1 AND sale_id IN (SELECT id FROM sales WHERE token_id = $1 AND client_id = $2)`,
);
// An order of an earlier version has no address of its own, and its invoice needs one.
const eraseOrders = statement(
  'clients.erase-orders',
  `UPDATE orders SET rejection_note = NULL, note = NULL, metadata = '{}', shipping = coalesce(shipping, (
     SELECT jsonb_build_object('address1', shipping_address1, 'address2', shipping_address2,
       'landmark', shipping_landmark, 'city', shipping_city, 'state', shipping_state, 'country', shipping_country,
       'countryCode', shipping_country_code, 'postalCode', shipping_postal_code)
     FROM clients WHERE token_id = $1 AND id = $2 AND shipping_address1 <> ''
   ))
   WHERE token_id = $1 AND client_id = $2
     AND (rejection_note IS NOT NULL OR note IS NOT NULL OR metadata <> '{}' OR shipping IS NULL)`,
);
const ofItsOrders = 'order_id IN (SELECT id FROM orders WHERE token_id = $1 AND client_id = $2)';
const eraseOrderHistory = statement(
  'clients.erase-order-history',
  `UPDATE order_history SET rejection_note = NULL WHERE token_id = $1 AND ${ofItsOrders}`,
);
// Where the customer returned to may name them.
const eraseCheckouts = statement(
  'clients.erase-checkouts',
  `UPDATE payment_checkouts SET return_url = NULL
   WHERE token_id = $1 AND return_url IS NOT NULL AND ${ofItsOrders}`,
);
// The tracking leads to the customer. The setting keeps the trigger from writing an event.
const eraseShipments = statement(
  'clients.erase-shipments',
  `UPDATE shipments SET tracking_number = NULL, tracking_url = NULL
   WHERE token_id = $1 AND ${ofItsOrders} AND set_config('keyfront.is_erasing', 'on', true) IS NOT NULL`,
);
const eraseRefunds = statement(
  'clients.erase-refunds',
  `UPDATE refunds SET reason = '' WHERE token_id = $1 AND ${ofItsOrders}`,
);

const itself = `SELECT id FROM clients WHERE token_id = $1 AND id = $2
  UNION ALL SELECT id FROM orders WHERE token_id = $1 AND client_id = $2`;
const eraseAudit = statement(
  'clients.erase-audit',
  `UPDATE audit SET before = erase_audit_texts(before), after = erase_audit_texts(after) WHERE subject_id IN (${itself})`,
);
const eraseResponses = eraseStoredResponses('clients.erase-responses', itself);
const ofItsEvents = 'events.token_id = $1 AND event_client_id(events.type, events.snapshot) = $2::uuid::text';
// What a snapshot has of texts that somebody wrote about the client.
const freeTexts = `'{rejection_note,description,external_reference,metadata,tracking_number,tracking_url}'::text[]`;
// What remains of a snapshot are the ids, by which the event is found again. The rest then comes from the rows, which are erased.
const eraseEvents = statement(
  'clients.erase-events',
  `UPDATE events SET snapshot = CASE WHEN type LIKE 'client.%' THEN jsonb_build_object('id', $2::uuid)
       ELSE snapshot - ${freeTexts} || jsonb_build_object('client', jsonb_build_object('id', $2::uuid)) END,
     previous = CASE WHEN type NOT LIKE 'client.%' THEN previous - ${freeTexts} END
   WHERE ${ofItsEvents}`,
  { indexScansOnly: true },
);
const deleteRecord = statement(
  'clients.erase-medical-record',
  'DELETE FROM medical_records WHERE token_id = $1 AND client_id = $2',
);
// The domain `invalid` is reserved (RFC 2606), so nothing is ever sent there. The name is on the invoices of a client with orders.
const eraseRow = statement<ArchivedClient>(
  'clients.erase',
  `UPDATE clients SET (first_name, last_name) = (
     SELECT CASE WHEN is_invoiced THEN first_name ELSE 'Erased' END,
       CASE WHEN is_invoiced THEN last_name ELSE 'Client' END
     FROM (SELECT EXISTS (SELECT FROM orders WHERE token_id = $1 AND client_id = $2)
       OR EXISTS (SELECT FROM order_archive_clients WHERE token_id = $1 AND client_id = $2) AS is_invoiced) AS orders
   ), email = id || '@erased.invalid', phone_code = '', phone_country_code = '', contact_number = '', title = '',
     shipping_address1 = '', shipping_address2 = '', shipping_landmark = '', shipping_city = '', shipping_state = '',
     shipping_country = '', shipping_country_code = '', shipping_postal_code = '', other_shippings = '[]',
     business = NULL, marketing_consent = false, external_reference = '', metadata = '{}', rejection_note = NULL,
     kyc_reference = NULL, kyc_return_url = NULL, kyc_progress = NULL,
     erased_at = coalesce(erased_at, now())
   WHERE token_id = $1 AND id = $2 AND archived_at IS NOT NULL ${returning}`,
);

/**
 * Erases the personal data of an archived client, in every table but that of deliveries. The transaction runs in the scope of the system.
 */
export async function eraseArchivedClient(
  tx: RunInTransaction,
  { tokenId }: HolderScope,
  clientId: string,
): Promise<ArchivedClient | null> {
  const values = [tokenId, clientId];
  const steps = [
    ...[lockRow, lockOrders, lockSales],
    ...[eraseOrders, eraseOrderHistory, eraseCheckouts, eraseShipments, eraseRefunds],
    ...[eraseSales, eraseSaleHistory],
    ...[eraseAudit, eraseEvents, deleteRecord, eraseResponses],
  ];
  const erasing = steps.map((step) => tx(step, values));
  // Last, because the orders take over the address.
  const [[client]] = await Promise.all([tx(eraseRow, values), ...erasing]);
  return client ?? null;
}

const ofItsDeliveries = `${ofItsEvents} AND delivery.event_transaction_number = events.transaction_number
     AND delivery.event_sequence_number = events.sequence_number`;
const eraseDeliveryResponses = statement(
  'clients.erase-deliveries',
  `UPDATE webhook_deliveries AS delivery SET is_erased = true, response_body = NULL FROM events WHERE ${ofItsDeliveries}`,
  { indexScansOnly: true },
);
const eraseRetryResponses = eraseStoredResponses(
  'clients.erase-retries',
  `SELECT delivery.id FROM events, webhook_deliveries AS delivery WHERE ${ofItsDeliveries}`,
);

/**
 * Queues for the commit: erases what receivers of events about the client have responded. The events must have been erased in an earlier
 * transaction. Whatever is sent from then on has nothing of the client, and this finds every delivery that was sent before, also those
 * whose response has not come yet.
 */
export function eraseDeliveries(tx: RunInTransaction, { tokenId }: HolderScope, clientId: string): void {
  const values = [tokenId, clientId];
  tx.atCommit(eraseDeliveryResponses, values);
  tx.atCommit(eraseRetryResponses, values);
}
