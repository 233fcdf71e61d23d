import type { DataCipher, EncryptedData } from '../../lib/encryption/data-cipher.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import type { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';
import { query } from './query.ts';

interface EncryptedTableOptions<Owner> {
  readonly table: string;
  /** The column of the primary key, and further columns, which name the owner of a row. */
  readonly primaryKey: string;
  readonly ownerColumns: string;
  /** What the rows are, as an error names it. */
  readonly content: string;
  /** Decrypts a row with the current key or the previous one, and encrypts it with the current one. */
  readonly reencrypt: (cipher: DataCipher, owner: Owner, data: EncryptedData) => EncryptedData;
}

export interface RotationResult {
  /** Rows that are now encrypted with the current key. */
  readonly reencrypted: number;
  /** The reasons why rows could not be decrypted. They stay as they are. */
  readonly failures: Error[];
  /** Whether no row needs the previous key any more. Another process may still be working on some. */
  readonly isComplete: boolean;
}

/** A table with the columns `key_id` and `ciphertext`, whose key can be changed. */
export function encryptedTable<Owner>(options: EncryptedTableOptions<Owner>) {
  const { table, primaryKey, ownerColumns, content, reencrypt } = options;
  const name = table.replaceAll('_', '-');
  const listKeys = query<{ keyId: string }>(
    `${name}.keys`,
    // Jumps from each key to the next by the index, because a table of many rows has few keys.
    `WITH RECURSIVE keys AS (
       (SELECT key_id FROM ${table} ORDER BY key_id LIMIT 1)
       UNION ALL
       SELECT (SELECT key_id FROM ${table} WHERE key_id > keys.key_id ORDER BY key_id LIMIT 1)
       FROM keys WHERE key_id IS NOT NULL
     )
     SELECT key_id AS "keyId" FROM keys WHERE key_id IS NOT NULL`,
  ).listAsSystem(() => []);
  const lockBatch = query<Owner & EncryptedData & { readonly rowId: string }>(
    `${name}.lock-batch`,
    // Several processes work on different rows.
    `SELECT ${primaryKey} AS "rowId", ${ownerColumns}, key_id AS "keyId", ciphertext FROM ${table}
     WHERE key_id = $1 AND ($2::uuid IS NULL OR ${primaryKey} > $2) ORDER BY ${primaryKey} LIMIT 50
     FOR NO KEY UPDATE SKIP LOCKED`,
  ).list((keyId: string, afterId: string | null) => [keyId, afterId]);
  const replace = query(
    `${name}.replace`,
    `UPDATE ${table} SET key_id = $2, ciphertext = $3 WHERE ${primaryKey} = $1`,
  ).atCommit((rowId: string, { keyId, ciphertext }: EncryptedData) => [rowId, keyId, ciphertext]);

  const listKeyIds = async (database: Database) => (await listKeys(database)).map(({ keyId }) => keyId);
  const rotateBatch = (database: Database, cipher: DataCipher, keyId: string, afterId: string | null) =>
    database.transaction(systemScope, async (tx) => {
      const rows = await lockBatch(tx, keyId, afterId);
      const failures: Error[] = [];
      for (const row of rows) {
        try {
          replace(tx, row.rowId, reencrypt(cipher, row, row));
        } catch (error) {
          failures.push(error as Error);
        }
      }
      return { lastId: rows.at(-1)?.rowId ?? null, reencrypted: rows.length - failures.length, failures };
    });

  return {
    /** Throws if a row is encrypted with a key that is not configured. */
    async verifyKeys(database: Database, cipher: DataCipher | null): Promise<void> {
      const known = [cipher?.keyId, cipher?.previousKeyId];
      const missing = (await listKeyIds(database)).filter((keyId) => !known.includes(keyId));
      if (missing.length === 0) return;
      throw new StartError(
        `The database has ${content} that are encrypted with another key (key id ${missing.join(', ')}): set ` +
          'DATA_ENCRYPTION_KEY to that key, or DATA_ENCRYPTION_KEY_PREVIOUS if the key was changed.',
      );
    },

    /** Encrypts the rows of the previous key with the current one, until none is left or the signal is aborted. */
    async rotate(database: Database, cipher: DataCipher, signal: AbortSignal): Promise<RotationResult> {
      const { previousKeyId } = cipher;
      const failures: Error[] = [];
      let reencrypted = 0;
      let lastId: string | null = null;
      while (previousKeyId !== null && !signal.aborted) {
        const batch: Awaited<ReturnType<typeof rotateBatch>> = await rotateBatch(
          database,
          cipher,
          previousKeyId,
          lastId,
        );
        if (batch.lastId === null) break;
        lastId = batch.lastId;
        reencrypted += batch.reencrypted;
        failures.push(...batch.failures);
      }
      const isComplete = previousKeyId === null || !(await listKeyIds(database)).includes(previousKeyId);
      return { reencrypted, failures, isComplete };
    },
  };
}
