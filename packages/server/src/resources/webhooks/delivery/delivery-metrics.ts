import { Counter, Gauge, type Registry } from 'prom-client';
import type { AttemptOutcome } from './deliver-events.ts';
import type { DeliveryBacklog } from './delivery-queries.ts';

/**
 * Adds the metrics of deliveries. The backlog is that of all processes: it is read from the database when the metrics are read. Returns a
 * function that counts an attempt of this process.
 */
export function addDeliveryMetrics(
  registry: Registry,
  readBacklog: () => Promise<DeliveryBacklog>,
): (outcome: AttemptOutcome) => void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by their result',
    labelNames: ['result'],
    registers,
  });
  // A database that is not available must not take all other metrics with it.
  const read = () => readBacklog().catch(() => null);
  new Gauge({
    name: 'webhook_deliveries_pending',
    help: 'Deliveries that are not finished, in all processes',
    aggregator: 'max',
    registers,
    async collect() {
      const backlog = await read();
      if (backlog) this.set(backlog.count);
    },
  });
  new Gauge({
    name: 'webhook_oldest_pending_seconds',
    help: 'Age of the oldest delivery that was never attempted',
    aggregator: 'max',
    registers,
    async collect() {
      const backlog = await read();
      if (backlog) this.set(ageSecondsOf(backlog));
    },
  });
  return (result) => attempts.inc({ result });
}

/** The age of the oldest delivery that was never attempted. */
export function ageSecondsOf({ oldestAt }: DeliveryBacklog, nowMs = Date.now()): number {
  return oldestAt === null ? 0 : Math.max(0, (nowMs - Date.parse(oldestAt)) / 1000);
}
