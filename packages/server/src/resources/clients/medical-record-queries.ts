import type { Database } from '../../database/database.ts';
import { query } from '../../database/queries/query.ts';
import { statement } from '../../database/statements/statement.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { EncryptedData } from '../../lib/encryption/data-cipher.ts';

/** An encrypted medical record and the client that it belongs to. */
export interface StoredRecord extends EncryptedData {
  readonly clientId: string;
  readonly tokenId: number;
}

/** A join of `clients` with the medical record of each. Only the query of a single client contains it. */
export const joinMedicalRecord = `LEFT JOIN LATERAL (
  SELECT key_id AS "recordKeyId", ciphertext AS "recordCiphertext" FROM medical_records
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

// Jumps from each key to the next by the index, because a table of many records has few keys.
const listKeys = statement<{ keyId: string }>(
  'medical-records.keys',
  `WITH RECURSIVE keys AS (
     (SELECT key_id FROM medical_records ORDER BY key_id LIMIT 1)
     UNION ALL
     SELECT (SELECT key_id FROM medical_records WHERE key_id > keys.key_id ORDER BY key_id LIMIT 1)
     FROM keys WHERE key_id IS NOT NULL
   )
   SELECT key_id AS "keyId" FROM keys WHERE key_id IS NOT NULL`,
);

/** Lists the ids of the keys that medical records are encrypted with. */
export async function listRecordKeyIds(database: Database): Promise<string[]> {
  const rows = await database.query(systemScope, listKeys);
  return rows.map(({ keyId }) => keyId);
}

/** Locks some records that are encrypted with a key, in the order of their clients and after the given one. */
export const lockRecordsOfKey = query<StoredRecord>(
  'medical-records.lock-batch',
  // Several processes work on different records.
  `SELECT client_id AS "clientId", token_id AS "tokenId", key_id AS "keyId", ciphertext FROM medical_records
   WHERE key_id = $1 AND ($2::uuid IS NULL OR client_id > $2) ORDER BY client_id LIMIT 50
   FOR NO KEY UPDATE SKIP LOCKED`,
).list((keyId: string, afterClientId: string | null) => [keyId, afterClientId]);

/** Queues for the commit: replaces the ciphertext of a record that is locked. */
export const replaceCiphertext = query(
  'medical-records.replace',
  'UPDATE medical_records SET key_id = $2, ciphertext = $3 WHERE client_id = $1',
).atCommit((clientId: string, { keyId, ciphertext }: EncryptedData) => [clientId, keyId, ciphertext]);
