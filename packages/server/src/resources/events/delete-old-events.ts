import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteOldEventBatch } from './event-rules.ts';

/** Creates the job that deletes events after this time, once an hour. */
export const deleteOldEvents = (retentionMs: number): DatabaseJob => ({
  everyMs: 60 * 60_000,
  failureMessage: 'Old events could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteOldEventBatch(database, retentionMs)) > 0);
  },
});
