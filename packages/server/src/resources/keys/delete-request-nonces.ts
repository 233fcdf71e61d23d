import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteExpiredRequestNonces } from './request-nonce-queries.ts';

/** Deletes the nonces of expired signatures once a minute. */
export const deleteRequestNonces: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'The nonces of expired signatures could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteExpiredRequestNonces(database)) > 0);
  },
};
