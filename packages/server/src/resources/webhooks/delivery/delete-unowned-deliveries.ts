import { type DatabaseJob, repeatBatches } from '../../../database/coordination/database-job.ts';
import { deleteUnownedDeliveryBatch, listUnownedDeliveries } from './delivery-queries.ts';

/** Deletes the deliveries of deleted webhooks once a minute. */
export const deleteUnownedDeliveries: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Deliveries of deleted webhooks could not be deleted',
  work: async (database, signal) => {
    for (const { webhookId } of await listUnownedDeliveries(database))
      await repeatBatches((each) => deleteUnownedDeliveryBatch(each, webhookId))(database, signal);
  },
};
