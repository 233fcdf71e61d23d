import type { Client, KycStatus } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';

/** The identity check of a client. */
export type KycRecord = Pick<Client, 'kycStatus' | 'kycVerifiedAt'> & {
  readonly kycReference: string | null;
  readonly kycReturnUrl: string | null;
};

const kycStatusColumn = `CASE WHEN is_kyc_verified THEN 'VERIFIED' ELSE coalesce(kyc_progress, 'PENDING') END AS "kycStatus"`;
const kycColumns = `kyc_reference AS "kycReference", kyc_return_url AS "kycReturnUrl", ${kycStatusColumn}, kyc_verified_at AS "kycVerifiedAt"`;

/** Gives a client a new reference. Returns null if the client is not in the scope. */
export const replaceKycReference = query<KycRecord>(
  'kyc.replace-reference',
  // A verified client stays verified. Any other check starts again.
  `UPDATE clients SET kyc_reference = gen_random_uuid(), kyc_progress = NULL, kyc_return_url = $3
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL
   RETURNING ${kycColumns}`,
).find((scope: HolderScope, clientId: string, returnUrl: string | null) => [
  clientId,
  scope.tokenId,
  returnUrl,
]);

export interface CheckedClient {
  readonly clientId: string;
  readonly kycStatus: KycStatus;
}

/**
 * Locks the client with this reference until the transaction ends. Returns null if no client has it, or if the client is
 * archived.
 */
export const lockCheckedClient = query<CheckedClient>(
  'kyc.lock',
  `SELECT id AS "clientId", ${kycStatusColumn}
   FROM clients WHERE kyc_reference = $1 AND archived_at IS NULL FOR NO KEY UPDATE`,
).find((reference: string) => [reference]);

/** Queues the new state of an identity check for the commit. */
export const updateKycStatus = query(
  'kyc.update',
  `UPDATE clients SET is_kyc_verified = $2::text = 'VERIFIED',
     kyc_progress = CASE WHEN $2 IN ('PROCESSING', 'REJECTED') THEN $2 END,
     kyc_verified_at = CASE WHEN $2 = 'VERIFIED' THEN now() END
   WHERE id = $1`,
).atCommit((clientId: string, status: KycStatus) => [clientId, status]);
