import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { listRecordKeyIds, lockRecordsOfKey, replaceCiphertext } from './medical-record-queries.ts';
import { reencryptRecord } from './medical-records.ts';

/** Throws if a medical record is encrypted with a key that is not configured. */
export async function verifyRecordKeys(database: Database, cipher: DataCipher | null): Promise<void> {
  const known = [cipher?.keyId, cipher?.previousKeyId];
  const missing = (await listRecordKeyIds(database)).filter((keyId) => !known.includes(keyId));
  if (missing.length === 0) return;
  throw new StartError(
    `The database has medical records that are encrypted with another key (key id ${missing.join(', ')}): set ` +
      'DATA_ENCRYPTION_KEY to that key, or DATA_ENCRYPTION_KEY_PREVIOUS if the key was changed.',
  );
}

export interface RotationResult {
  /** Records that are now encrypted with the current key. */
  readonly reencrypted: number;
  /** The reasons why records could not be decrypted. They stay as they are. */
  readonly failures: Error[];
  /** Whether no record needs the previous key any more. Another process may still be working on some. */
  readonly isComplete: boolean;
}

/** Encrypts the records of the previous key with the current one, until none is left or the signal is aborted. */
export async function rotateMedicalRecords(
  database: Database,
  cipher: DataCipher,
  signal: AbortSignal,
): Promise<RotationResult> {
  const { previousKeyId } = cipher;
  const failures: Error[] = [];
  let reencrypted = 0;
  let lastClientId: string | null = null;
  while (previousKeyId !== null && !signal.aborted) {
    const batch = await rotateBatch(database, cipher, previousKeyId, lastClientId);
    if (batch.lastClientId === null) break;
    lastClientId = batch.lastClientId;
    reencrypted += batch.reencrypted;
    failures.push(...batch.failures);
  }
  const isComplete = previousKeyId === null || !(await listRecordKeyIds(database)).includes(previousKeyId);
  return { reencrypted, failures, isComplete };
}

function rotateBatch(
  database: Database,
  cipher: DataCipher,
  previousKeyId: string,
  afterClientId: string | null,
): Promise<Omit<RotationResult, 'isComplete'> & { lastClientId: string | null }> {
  return database.transaction(systemScope, async (tx) => {
    const records = await lockRecordsOfKey(tx, previousKeyId, afterClientId);
    const failures: Error[] = [];
    for (const record of records) {
      try {
        replaceCiphertext(tx, record.clientId, reencryptRecord(cipher, record, record));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    const lastClientId = records.at(-1)?.clientId ?? null;
    return { lastClientId, reencrypted: records.length - failures.length, failures };
  });
}
