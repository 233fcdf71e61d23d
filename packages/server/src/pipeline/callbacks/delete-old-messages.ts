import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteOldMessageBatch } from './callback-queries.ts';

/** Deletes the ids of old callbacks once an hour. */
export const deleteOldMessages: DatabaseJob = {
  everyMs: 60 * 60_000,
  failureMessage: 'The ids of old callbacks could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteOldMessageBatch(database)) > 0);
  },
};
