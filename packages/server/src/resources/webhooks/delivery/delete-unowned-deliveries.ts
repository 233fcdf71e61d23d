import type { DatabaseJob } from '../../../database/coordination/database-job.ts';
import { deleteUnownedDeliveryBatch, listUnownedDeliveries } from './delivery-rules.ts';

/** Deletes the deliveries of deleted webhooks once a minute. */
export const deleteUnownedDeliveries: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Deliveries of deleted webhooks could not be deleted',
  work: async (database, signal) => {
    for (const webhookId of await listUnownedDeliveries(database))
      while (!signal.aborted && (await deleteUnownedDeliveryBatch(database, webhookId)) > 0);
  },
};
