import type { Database } from '../../database/database.ts';
import { query } from '../../database/queries/query.ts';
import { statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { EncryptedData } from '../../lib/encryption/data-cipher.ts';

/** An encrypted secret and the webhook that it belongs to. */
export interface StoredSecret extends EncryptedData {
  readonly id: string;
  readonly webhookId: string;
  readonly tokenId: number;
}

// Jumps from each key to the next by the index, because many secrets have few keys.
const listKeys = statement<{ keyId: string }>(
  'webhook-secrets.keys',
  `WITH RECURSIVE keys AS (
     (SELECT key_id FROM webhook_secrets ORDER BY key_id LIMIT 1)
     UNION ALL
     SELECT (SELECT key_id FROM webhook_secrets WHERE key_id > keys.key_id ORDER BY key_id LIMIT 1)
     FROM keys WHERE key_id IS NOT NULL
   )
   SELECT key_id AS "keyId" FROM keys WHERE key_id IS NOT NULL`,
);

/** Lists the ids of the keys that secrets are encrypted with. */
export async function listSecretKeyIds(database: Database): Promise<string[]> {
  return (await database.query(systemScope, listKeys)).map(({ keyId }) => keyId);
}

/** Locks some secrets that are encrypted with a key, in the order of their ids and after the given one. */
export const lockSecretsOfKey = query<StoredSecret>(
  'webhook-secrets.lock-batch',
  // Several processes work on different secrets.
  `SELECT id, webhook_id AS "webhookId", token_id AS "tokenId", key_id AS "keyId", ciphertext FROM webhook_secrets
   WHERE key_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT 50 FOR NO KEY UPDATE SKIP LOCKED`,
).list((keyId: string, afterId: string | null) => [keyId, afterId]);

/** Queues for the commit: replaces the ciphertext of a secret that is locked. */
export const replaceSecretCiphertext = query(
  'webhook-secrets.replace',
  'UPDATE webhook_secrets SET key_id = $2, ciphertext = $3 WHERE id = $1',
).atCommit((id: string, { keyId, ciphertext }: EncryptedData) => [id, keyId, ciphertext]);
