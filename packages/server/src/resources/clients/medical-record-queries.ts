import { encryptedTable } from '../../database/queries/encrypted-table.ts';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { EncryptedData } from '../../lib/encryption/data-cipher.ts';
import { reencryptRecord } from './medical-records.ts';

/** A join of `clients` with the medical record of each. Only the query of a single client contains it. */
export const joinMedicalRecord = `LEFT JOIN LATERAL (
  SELECT key_id AS "recordKeyId", ciphertext AS "recordCiphertext", created_at AS "recordCreatedAt"
  FROM medical_records
  WHERE medical_records.token_id = clients.token_id AND medical_records.client_id = clients.id
) AS record ON true`;

/** Queues the medical record of a client for the commit. */
export const storeMedicalRecord = query(
  'medical-records.store',
  `INSERT INTO medical_records (token_id, client_id, key_id, ciphertext) VALUES ($1, $2, $3, $4)
   ON CONFLICT (client_id) DO UPDATE
     SET key_id = excluded.key_id, ciphertext = excluded.ciphertext, updated_at = excluded.updated_at`,
).atCommit(({ tokenId }: HolderScope, clientId: string, { keyId, ciphertext }: EncryptedData) => [
  tokenId,
  clientId,
  keyId,
  ciphertext,
]);

/** Queues for the commit: deletes the medical record of a client. */
export const deleteMedicalRecord = query(
  'medical-records.delete',
  'DELETE FROM medical_records WHERE token_id = $1 AND client_id = $2',
).atCommit((scope: HolderScope, clientId: string) => [scope.tokenId, clientId]);

/** The encryption of the stored records. */
export const medicalRecordTable = encryptedTable({
  table: 'medical_records',
  primaryKey: 'client_id',
  ownerColumns: 'client_id AS "clientId", token_id AS "tokenId"',
  content: 'medical records',
  reencrypt: reencryptRecord,
});
