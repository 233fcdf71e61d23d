import { Gauge, type Registry } from 'prom-client';

/** Adds the metrics of the log. They are those of all processes: they are read from the database when the metrics are read. */
export function addEventMetrics(registry: Registry, readWaitingSeconds: () => Promise<number>): void {
  new Gauge({
    name: 'events_waiting_seconds',
    help: 'Age of the first event that nobody can read yet, because a transaction that writes events has not ended',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // A database that is not available must not take all other metrics with it.
      const seconds = await readWaitingSeconds().catch(() => null);
      if (seconds !== null) this.set(seconds);
    },
  });
}
