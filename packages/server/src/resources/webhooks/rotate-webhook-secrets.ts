import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { listSecretKeyIds, lockSecretsOfKey, replaceSecretCiphertext } from './webhook-secret-queries.ts';
import { reencryptSecret } from './webhook-secrets.ts';

/** Throws if the secret of a webhook is encrypted with a key that is not configured. */
export async function verifySecretKeys(database: Database, cipher: DataCipher | null): Promise<void> {
  const known = [cipher?.keyId, cipher?.previousKeyId];
  const missing = (await listSecretKeyIds(database)).filter((keyId) => !known.includes(keyId));
  if (missing.length === 0) return;
  throw new StartError(
    `The database has secrets of webhooks that are encrypted with another key (key id ${missing.join(', ')}): set ` +
      'DATA_ENCRYPTION_KEY to that key, or DATA_ENCRYPTION_KEY_PREVIOUS if the key was changed.',
  );
}

export interface SecretRotation {
  /** Secrets that are now encrypted with the current key. */
  readonly reencrypted: number;
  /** The reasons why secrets could not be decrypted. They stay as they are. */
  readonly failures: Error[];
  /** Whether no secret needs the previous key any more. Another process may still be working on some. */
  readonly isComplete: boolean;
}

/** Encrypts the secrets of the previous key with the current one, until none is left or the signal is aborted. */
export async function rotateWebhookSecrets(
  database: Database,
  cipher: DataCipher,
  signal: AbortSignal,
): Promise<SecretRotation> {
  const { previousKeyId } = cipher;
  const failures: Error[] = [];
  let reencrypted = 0;
  let lastId: string | null = null;
  while (previousKeyId !== null && !signal.aborted) {
    const batch: Error[] = [];
    const after: string | null = lastId;
    const secrets = await database.transaction(systemScope, async (tx) => {
      // A transaction that conflicts with another one is repeated.
      batch.length = 0;
      const locked = await lockSecretsOfKey(tx, previousKeyId, after);
      for (const secret of locked) {
        try {
          replaceSecretCiphertext(tx, secret.id, reencryptSecret(cipher, secret, secret));
        } catch (error) {
          batch.push(error as Error);
        }
      }
      return locked;
    });
    lastId = secrets.at(-1)?.id ?? null;
    if (lastId === null) break;
    reencrypted += secrets.length - batch.length;
    failures.push(...batch);
  }
  const isComplete = previousKeyId === null || !(await listSecretKeyIds(database)).includes(previousKeyId);
  return { reencrypted, failures, isComplete };
}
