import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteExpiredBatch } from './idempotency-queries.ts';

/** Deletes expired responses of idempotent requests once a minute. */
export const deleteExpiredResponses: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Expired responses could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteExpiredBatch(database)) > 0);
  },
};
