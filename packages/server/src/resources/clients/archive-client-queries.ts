import type { ArchivedClient } from '@keyfront/protocol';
import type { HolderScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

const returning = `RETURNING id, archived_at AS "archivedAt", erased_at AS "erasedAt"`;

// Inactive too: a checkout that has already read the client fails when it writes the order.
const archive = statement<ArchivedClient>(
  'clients.archive',
  `UPDATE clients SET archived_at = coalesce(archived_at, now()), is_active = false,
     deactivated_by = coalesce(deactivated_by, 'HOLDER')
   WHERE id = $1 AND token_id = $2 ${returning}`,
);

/** Archives a client, if it is not archived already. Returns null if it is not in the scope. */
export async function archiveClientRow(
  run: RunInTransaction,
  scope: HolderScope,
  clientId: string,
): Promise<ArchivedClient | null> {
  const [client] = await run(archive, [clientId, scope.tokenId]);
  return client ?? null;
}

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
  `UPDATE orders SET rejection_note = NULL, note = NULL, shipping = coalesce(shipping, (
     SELECT jsonb_build_object('address1', shipping_address1, 'address2', shipping_address2,
       'landmark', shipping_landmark, 'city', shipping_city, 'state', shipping_state, 'country', shipping_country,
       'countryCode', shipping_country_code, 'postalCode', shipping_postal_code)
     FROM clients WHERE token_id = $1 AND id = $2 AND shipping_address1 <> ''
   ))
   WHERE token_id = $1 AND client_id = $2
     AND (rejection_note IS NOT NULL OR note IS NOT NULL OR shipping IS NULL)`,
);
const eraseOrderHistory = statement(
  'clients.erase-order-history',
  `UPDATE order_history SET rejection_note = NULL
   WHERE token_id = $1 AND order_id IN (SELECT id FROM orders WHERE token_id = $1 AND client_id = $2)`,
);
// No entry has both.
const eraseTexts = (column: string) =>
  `${column} = CASE WHEN ${column} ? 'rejectionNote' THEN jsonb_set(${column}, '{rejectionNote}', '"erased"')
     WHEN ${column} ? 'reason' THEN jsonb_set(${column}, '{reason}', '"erased"') ELSE ${column} END`;
const eraseAudit = statement(
  'clients.erase-audit',
  `UPDATE audit SET ${eraseTexts('before')}, ${eraseTexts('after')}
   WHERE subject_id IN (
     SELECT id FROM clients WHERE token_id = $1 AND id = $2
     UNION ALL SELECT id FROM orders WHERE token_id = $1 AND client_id = $2
   )`,
);
// What remains of a snapshot is the id. The rest then comes from the rows, which are erased.
const eraseEvents = statement(
  'clients.erase-events',
  `UPDATE events SET snapshot = snapshot - '{client,rejection_note,description}'::text[],
     previous = previous - '{client,rejection_note,description}'::text[]
   WHERE token_id = $1 AND snapshot #>> '{client,id}' = $2::uuid::text`,
);
const eraseClientEvents = statement(
  'clients.erase-client-events',
  `UPDATE events SET snapshot = jsonb_build_object('id', $2::uuid), previous = NULL
   WHERE token_id = $1 AND type LIKE 'client.%' AND snapshot ->> 'id' = $2::uuid::text`,
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
     FROM (SELECT EXISTS (SELECT FROM orders WHERE token_id = $1 AND client_id = $2) AS is_invoiced) AS orders
   ), email = id || '@erased.invalid', phone_code = '', phone_country_code = '', contact_number = '', title = '',
     shipping_address1 = '', shipping_address2 = '', shipping_landmark = '', shipping_city = '', shipping_state = '',
     shipping_country = '', shipping_country_code = '', shipping_postal_code = '', other_shippings = '[]',
     business = NULL, marketing_consent = false, external_reference = '', rejection_note = NULL,
     kyc_reference = NULL, kyc_progress = NULL,
     erased_at = coalesce(erased_at, now())
   WHERE token_id = $1 AND id = $2 AND archived_at IS NOT NULL ${returning}`,
);

/** Erases the personal data of an archived client, in every table. The transaction runs in the scope of the system. */
export async function eraseArchivedClient(
  run: RunInTransaction,
  { tokenId }: HolderScope,
  clientId: string,
): Promise<ArchivedClient | null> {
  const values = [tokenId, clientId];
  const steps = [
    eraseOrders,
    eraseOrderHistory,
    eraseSales,
    eraseSaleHistory,
    eraseAudit,
    eraseEvents,
    eraseClientEvents,
    deleteRecord,
  ];
  const erasing = steps.map((step) => run(step, values));
  // Last, because the orders take over the address.
  const [[client]] = await Promise.all([run(eraseRow, values), ...erasing]);
  return client ?? null;
}
