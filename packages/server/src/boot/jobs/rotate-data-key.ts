import type { Logger } from 'pino';
import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { medicalRecordTable } from '../../resources/clients/medical-record-queries.ts';
import { webhookSecretTable } from '../../resources/webhooks/webhook-queries.ts';

/** What is encrypted with the data key, as the log names it. */
const encrypted = [
  { one: 'medical record', rotate: medicalRecordTable.rotate },
  { one: 'webhook secret', rotate: webhookSecretTable.rotate },
] as const;

/** Encrypts data of the previous key with the current one, and tells when the previous key is no longer needed. */
export function rotateDataKey(cipher: DataCipher, logger: Pick<Logger, 'info' | 'error'>): DatabaseJob {
  const announced = new Set<string>();
  return {
    everyMs: 10_000,
    failureMessage: 'Data could not be encrypted with the current key',
    work: async (database, signal) => {
      for (const { one, rotate } of encrypted) {
        const { reencrypted, failures, isComplete } = await rotate(database, cipher, signal);
        for (const error of failures) logger.error({ err: error }, `A ${one} keeps its previous key`);
        if (reencrypted > 0) logger.info(`Encrypted ${reencrypted} ${one}s with the current key`);
        if (!isComplete || announced.has(one)) continue;
        announced.add(one);
        logger.info(`No ${one} needs the previous key any more`);
      }
    },
  };
}
