import type { AdminClient } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { clientColumns } from './client-queries.ts';
import type { AdminClientRow } from './client-record.ts';

/** The fields of a client that administrators change. */
export type ClientApproval = Pick<
  AdminClient,
  'adminApproval' | 'isKYCVerified' | 'isActive' | 'rejectionNote'
>;

/** The columns of an `AdminClientRow`. */
export const adminClientColumns = `${clientColumns}, rejection_note AS "rejectionNote"`;

/** Locks a client until the transaction ends and returns its approval fields. Returns null if it does not exist. */
export const lockClientApproval = query<ClientApproval>(
  'clients.lock-approval',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
     rejection_note AS "rejectionNote"
   FROM clients WHERE id = $1 AND archived_at IS NULL FOR NO KEY UPDATE`,
).find((clientId: string) => [clientId]);

/** Updates the approval fields of a client. `isBlocked`: whether the administrator has deactivated the client. */
export const updateClientApproval = query<AdminClientRow>(
  'clients.write-approval',
  `UPDATE clients SET admin_approval = $2, is_kyc_verified = $3, is_active = $4,
     rejection_note = $5, kyc_progress = CASE WHEN NOT $3 THEN kyc_progress END,
     kyc_verified_at = CASE WHEN $3 THEN CASE WHEN is_kyc_verified THEN kyc_verified_at ELSE now() END END,
     deactivated_by = CASE WHEN $4 THEN NULL WHEN $6::boolean THEN 'ADMINISTRATOR' ELSE deactivated_by END
   WHERE id = $1 RETURNING ${adminClientColumns}`,
).find(
  (
    clientId: string,
    { adminApproval, isKYCVerified, isActive, rejectionNote }: ClientApproval,
    isBlocked: boolean,
  ) => [clientId, adminApproval, isKYCVerified, isActive, rejectionNote, isBlocked],
);

/** Finds a client that is not archived, in any scope of an administrator. */
export const findAdminClient = query<AdminClientRow>(
  'clients.find-for-administrator',
  `SELECT ${adminClientColumns} FROM clients WHERE id = $1 AND archived_at IS NULL`,
).findInScope((_scope: AdministratorScope, clientId: string) => [clientId]);

/** Finds the client of an order, archived or not. */
export const findAdminClientOfOrder = query<AdminClientRow>(
  'clients.find-of-order',
  `SELECT ${adminClientColumns} FROM clients WHERE id = (SELECT client_id FROM orders WHERE orders.id = $1)`,
).findInScope((_scope: AdministratorScope, orderId: string) => [orderId]);
