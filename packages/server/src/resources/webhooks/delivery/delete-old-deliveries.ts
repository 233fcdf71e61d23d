import type { DatabaseJob } from '../../../database/coordination/database-job.ts';
import { deleteOldDeliveryBatch } from './delivery-rules.ts';

/** Creates the job that deletes deliveries of webhooks after this time, once an hour. */
export const deleteOldDeliveries = (retentionMs: number): DatabaseJob => ({
  everyMs: 60 * 60_000,
  failureMessage: 'Old deliveries could not be deleted',
  work: async (database, signal) => {
    while (!signal.aborted && (await deleteOldDeliveryBatch(database, retentionMs)) > 0);
  },
});
