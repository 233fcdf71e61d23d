import type { Logger } from 'pino';
import type { DataCipher } from '../encryption/data-cipher.ts';
import { rotateMedicalRecords } from '../resources/clients/rotate-medical-records.ts';
import type { DatabaseJob } from './database-job.ts';

/** Encrypts records of the previous key with the current one, and tells when the previous key is no longer needed. */
export function rotateDataKey(cipher: DataCipher, logger: Pick<Logger, 'info' | 'error'>): DatabaseJob {
  let isAnnounced = false;
  return {
    everyMs: 10_000,
    failureMessage: 'Medical records could not be encrypted with the current key',
    work: async (database, signal) => {
      const { reencrypted, failures, isComplete } = await rotateMedicalRecords(database, cipher, signal);
      for (const error of failures) logger.error({ err: error }, 'A medical record keeps its previous key');
      if (reencrypted > 0) logger.info(`Encrypted ${reencrypted} medical records with the current key`);
      if (!isComplete || isAnnounced) return;
      isAnnounced = true;
      logger.info('No medical record needs the previous key any more');
    },
  };
}
