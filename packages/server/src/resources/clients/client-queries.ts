import { findViolatedIndex, statement } from '@keyfront/postgres';
import type { Client } from '@keyfront/protocol';
import { listAt } from '../../database/queries/list-at.ts';
import { mergeMetadata } from '../../database/queries/metadata.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { wantedSnapshots } from '../../database/queries/wanted-snapshots.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { type ClientInput, emptyBusiness } from './client-input.ts';
import { type ClientDetailsRow, type ClientRow, shippingColumn } from './client-record.ts';
import { joinMedicalRecord } from './medical-record-queries.ts';

/** A client whose row is locked until the transaction ends. */
export type LockedClient = Pick<Client, 'id' | 'firstName' | 'lastName' | 'email'>;

/** The columns of a `ClientRow`. */
export const clientColumns = `
  id, first_name AS "firstName", last_name AS "lastName", email, phone_code AS "phoneCode",
  phone_country_code AS "phoneCountryCode", contact_number AS "contactNumber", title,
  marketing_consent AS "marketingConsent", verification_type AS "verificationType",
  external_reference AS "externalReference", metadata, ${shippingColumn} AS shipping,
  other_shippings AS "otherShippings", business, coalesce((
    SELECT carts.id FROM carts WHERE carts.token_id = clients.token_id AND carts.client_id = clients.id
  ), id) AS "cartId",
  admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
  approved_at AS "approvedAt", rejected_at AS "rejectedAt", kyc_reference AS "kycReference", kyc_return_url AS "kycReturnUrl",
  CASE WHEN is_kyc_verified THEN 'VERIFIED' ELSE coalesce(kyc_progress, 'PENDING') END AS "kycStatus",
  kyc_verified_at AS "kycVerifiedAt",
  json_build_object('tokenId', token_id) AS nft, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A column that holders write: how to read its value from a request, and its type and initial value in SQL. */
interface InputColumn {
  readonly read: (input: ClientInput) => unknown;
  readonly type: string;
  readonly initial: string;
  /** The SQL that changes the stored value, where the new one does not replace it. */
  readonly change?: (value: string, stored: string) => string;
}

const text = (read: (input: ClientInput) => string | undefined, initial = `''`): InputColumn => ({
  read,
  type: 'text',
  initial,
});

const inputColumns: Readonly<Record<string, InputColumn>> = {
  first_name: text((input) => input.firstName),
  last_name: text((input) => input.lastName),
  email: text((input) => input.email),
  phone_code: text((input) => input.phoneCode),
  phone_country_code: text((input) => input.phoneCountryCode),
  contact_number: text((input) => input.contactNumber),
  title: text((input) => input.title),
  marketing_consent: { read: (input) => input.marketingConsent, type: 'boolean', initial: 'false' },
  verification_type: text((input) => input.verificationType, `'KYC'`),
  external_reference: text((input) => input.externalReference),
  metadata: {
    read: ({ metadata }) => metadata && JSON.stringify(metadata),
    type: 'jsonb',
    initial: `'{}'`,
    change: mergeMetadata,
  },
  shipping_address1: text(({ shipping }) => shipping?.address1),
  shipping_address2: text(({ shipping }) => shipping?.address2),
  shipping_landmark: text(({ shipping }) => shipping?.landmark),
  shipping_city: text(({ shipping }) => shipping?.city),
  shipping_state: text(({ shipping }) => shipping?.state),
  shipping_country: text(({ shipping }) => shipping?.country),
  shipping_country_code: text(({ shipping }) => shipping?.countryCode),
  shipping_postal_code: text(({ shipping }) => shipping?.postalCode),
  other_shippings: {
    read: ({ otherShippings }) => otherShippings && JSON.stringify(otherShippings),
    type: 'jsonb',
    initial: `'[]'`,
  },
};
const inputNames = Object.keys(inputColumns);

/** The values of the columns above, and of the business. Null keeps the stored value. */
function inputValues(input: ClientInput): unknown[] {
  const { business } = input;
  return [
    ...Object.values(inputColumns).map(({ read }) => read(input) ?? null),
    business === undefined ? null : JSON.stringify(business),
  ];
}

/** Lists an SQL expression for each column, whose values begin at this placeholder. */
const eachInput = (
  firstPlaceholder: number,
  write: (value: string, name: string, column: InputColumn) => string,
) =>
  Object.entries(inputColumns)
    .map(([name, column], index) => write(`$${index + firstPlaceholder}::${column.type}`, name, column))
    .join(', ');

/** The business after a change: JSON null removes it, and an object changes the fields that it names. */
const changeBusiness = (value: string, stored: string) =>
  `CASE WHEN ${value}::jsonb IS NULL THEN ${stored} WHEN ${value}::jsonb = 'null' THEN NULL
     ELSE coalesce(${stored}, '${JSON.stringify(emptyBusiness)}') || ${value}::jsonb END`;

/** Inserts a client. Returns null if the digital key already has a client with this e-mail. */
export const insertClient = query<ClientRow>(
  'clients.insert',
  `INSERT INTO clients (token_id, ${inputNames.join(', ')}, business)
   VALUES ($1, ${eachInput(2, (value, _name, { initial, change }) =>
     change ? change(value, initial) : `coalesce(${value}, ${initial})`,
   )},
     ${changeBusiness(`$${inputNames.length + 2}`, 'NULL::jsonb')})
   ON CONFLICT (token_id, lower(email)) WHERE archived_at IS NULL DO NOTHING RETURNING ${clientColumns}`,
).find((scope: HolderScope, input: ClientInput) => [scope.tokenId, ...inputValues(input)]);

const composeUpdate = (condition: string) =>
  `UPDATE clients SET ${eachInput(
    3,
    (value, name, { change }) => `${name} = ${change ? change(value, name) : `coalesce(${value}, ${name})`}`,
  )},
     business = ${changeBusiness(`$${inputNames.length + 3}`, 'business')}
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL AND ${condition} RETURNING ${clientColumns}`;
// The trigger that writes the event reads the setting.
const tellsRecordChange = (isChange: string) =>
  `set_config('keyfront.changes_medical_record', CASE WHEN ${isChange} THEN 'on' ELSE 'off' END, true) IS NOT NULL`;
const updateWithRecord = statement<ClientRow>(
  'clients.update-with-record',
  composeUpdate(tellsRecordChange('true')),
);
const updateWithoutRecord = statement<ClientRow>(
  'clients.update-without-record',
  composeUpdate(
    tellsRecordChange('EXISTS (SELECT FROM medical_records WHERE token_id = $2 AND client_id = $1)'),
  ),
);

/** Updates the given fields of a client. Returns null if the client is not in the scope. */
export const updateClient = query<ClientRow>('clients.update', composeUpdate('true')).findInScope(
  (scope: HolderScope, clientId: string, input: ClientInput) => [
    clientId,
    scope.tokenId,
    ...inputValues(input),
  ],
);

/**
 * The same in a transaction that then stores the medical record of the client, or deletes it. The event of the change says that the
 * record has changed.
 */
export async function updateClientAndRecord(
  tx: RunInTransaction,
  scope: HolderScope,
  clientId: string,
  input: ClientInput,
  hasRecord: boolean,
): Promise<ClientRow | null> {
  // A concurrent request may delete the record. What it has done is seen after the lock.
  if (!hasRecord && !(await lockClientRow(tx, scope, clientId))) return null;
  const values = [clientId, scope.tokenId, ...inputValues(input)];
  const [row] = await tx(hasRecord ? updateWithRecord : updateWithoutRecord, values);
  return row ?? null;
}

/** Activates a client. Returns null if the client is not in the scope, or if an administrator has deactivated it. */
export const activateUnblockedClient = query<ClientRow>(
  'clients.activate',
  `UPDATE clients SET is_active = true, deactivated_by = NULL
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL AND (is_active OR deactivated_by = 'HOLDER')
   RETURNING ${clientColumns}`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Deactivates a client. Returns null if the client is not in the scope. */
export const deactivateClientRow = query<ClientRow>(
  'clients.deactivate',
  `UPDATE clients SET is_active = false, deactivated_by = CASE WHEN is_active THEN 'HOLDER' ELSE deactivated_by END
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL RETURNING ${clientColumns}`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Whether an update failed because the digital key already has a client with this e-mail. */
export function isEmailTaken(error: unknown): boolean {
  // The unique index decides: a lookup beforehand could be outdated when the row is written.
  return findViolatedIndex(error) === 'clients_email_in_use';
}

/** Finds a client in the scope. */
export const findClient = query<ClientRow>(
  'clients.find',
  `SELECT ${clientColumns} FROM clients WHERE id = $1 AND token_id = $2 AND archived_at IS NULL`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Finds a client in the scope, with its medical record. */
export const findClientDetails = query<ClientDetailsRow>(
  'clients.find-details',
  `SELECT ${clientColumns}, "recordKeyId", "recordCiphertext", "recordCreatedAt" FROM clients ${joinMedicalRecord}
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Lists clients as they were at these snapshots, in their order. A client that is not in the scope is null. */
export const listClientsAt = listAt<ClientRow>(
  'clients.list-at',
  `SELECT number, ${clientColumns} FROM (
     SELECT wanted.number, populated.*
     FROM ${wantedSnapshots}
     JOIN clients AS stored ON stored.id = wanted.id
     CROSS JOIN LATERAL jsonb_populate_record(stored, wanted.snapshot) AS populated
   ) AS clients`,
  { genericPlan: true },
);

/** Locks a client until the transaction ends. Returns null if it is not in the scope. */
export const lockClientRow = query<LockedClient>(
  'clients.lock',
  `SELECT id, first_name AS "firstName", last_name AS "lastName", email FROM clients
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL FOR NO KEY UPDATE`,
).find((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Whether the client exists and is not archived, in any scope. */
export const clientExists = rowExists('clients', 'archived_at IS NULL');

/** Finds the digital key of a client, archived or not, in any scope. */
export const findTokenOfClient = query<{ tokenId: number }>(
  'clients.find-token',
  'SELECT token_id AS "tokenId" FROM clients WHERE id = $1',
).findAsSystem((clientId: string) => [clientId]);
