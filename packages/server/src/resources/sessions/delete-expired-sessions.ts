import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteExpiredSessionBatch } from './session-queries.ts';

/** Deletes sessions that are over once a minute. */
export const deleteExpiredSessions: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Expired sessions could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteExpiredSessionBatch(database)) > 0);
  },
};
