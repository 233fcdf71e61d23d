import type { Database } from '../../../database/database.ts';
import { systemScope } from '../../../database/transactions/scope.ts';
import { type DeliveryAttempt, type DeliveryJob, queueDeliveries } from './delivery-queries.ts';
import {
  dispatchNextEvents,
  lockDispatch,
  type NewDelivery,
  replayNextEvents,
  takeUnqueuedDeliveries,
} from './dispatch-queries.ts';

const usualBatchSize = 500;
/** While requests of holders have to wait. More would only wait in the queue, whose jobs pause as well. */
const busyBatchSize = 200;

/**
 * Follows the log of events and queues a delivery for each webhook that wants an event. The place in the log, the deliveries and the
 * jobs of the work queue are committed together, so each event is queued exactly once for each webhook, whenever a process is killed.
 * Orders do not wait for it: it reads the log after they are committed.
 *
 * Returns whether events are left that it could have read. Those that came later wait for the next round. Otherwise, while orders
 * arrive all the time, there would be batch after batch of a few events, each with a transaction and a job of its own.
 */
export async function dispatchBatch(database: Database): Promise<boolean> {
  const batchSize = database.hasWaitingRequests ? busyBatchSize : usualBatchSize;
  return database.transaction(systemScope, async (tx) => {
    const position = await lockDispatch(tx);
    // Another process dispatches.
    if (!position) return false;
    // One round trip.
    const [asked, { hasMore, deliveries }, replayed] = await Promise.all([
      takeUnqueuedDeliveries(tx, batchSize),
      dispatchNextEvents(tx, position, batchSize),
      replayNextEvents(tx, batchSize),
    ]);
    await queueDeliveries(tx, [...toJobs(asked), ...toJobs(deliveries), ...toJobs(replayed ?? [])]);
    return asked.length === batchSize || hasMore || replayed !== null;
  });
}

/** One job for each webhook: taking a job costs more than sending a delivery. */
function toJobs(deliveries: readonly NewDelivery[]): DeliveryJob[] {
  const jobs = new Map<string, DeliveryJob & { readonly attempts: DeliveryAttempt[] }>();
  const runAt = new Date();
  for (const { id, webhookId, holderId, attempts, isFailing } of deliveries) {
    const job = jobs.get(webhookId) ?? { webhookId, holderId, attempts: [], isRetry: isFailing, runAt };
    job.attempts.push({ deliveryId: id, attempt: attempts + 1 });
    jobs.set(webhookId, job);
  }
  return [...jobs.values()];
}
