import { type DatabaseJob, repeatBatches } from '../../database/coordination/database-job.ts';
import { deleteOldEventBatch } from './event-queries.ts';

/** Creates the job that deletes events after this time, once an hour. */
export const deleteOldEvents = (retentionMs: number): DatabaseJob => ({
  everyMs: 60 * 60_000,
  failureMessage: 'Old events could not be deleted',
  work: repeatBatches((database) => deleteOldEventBatch(database, retentionMs)),
});
