import { type DatabaseJob, repeatBatches } from '../../../database/coordination/database-job.ts';
import { deleteOldDeliveryBatch } from './delivery-queries.ts';

/** Creates the job that deletes deliveries of webhooks after this time, once an hour. */
export const deleteOldDeliveries = (retentionMs: number): DatabaseJob => ({
  everyMs: 60 * 60_000,
  failureMessage: 'Old deliveries could not be deleted',
  work: repeatBatches((database) => deleteOldDeliveryBatch(database, retentionMs)),
});
