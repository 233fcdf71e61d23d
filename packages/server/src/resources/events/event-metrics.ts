import { Gauge, type Registry } from 'prom-client';

interface EventReadings {
  /** Open streams of this process. */
  readonly countStreams: () => number;
  /** Of all processes: it is read from the database when the metrics are read. */
  readonly readWaitingSeconds: () => Promise<number>;
}

/** Adds the metrics of the log and of its streams. */
export function addEventMetrics(registry: Registry, readings: EventReadings): void {
  new Gauge({
    name: 'event_streams',
    help: 'Open streams of events',
    registers: [registry],
    collect() {
      this.set(readings.countStreams());
    },
  });
  new Gauge({
    name: 'events_waiting_seconds',
    help: 'Age of the first event that nobody can read yet, because a transaction that writes events has not ended',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // A database that is not available must not take all other metrics with it.
      const seconds = await readings.readWaitingSeconds().catch(() => null);
      if (seconds !== null) this.set(seconds);
    },
  });
}
