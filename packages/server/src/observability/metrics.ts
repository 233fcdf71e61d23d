import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(method: string, route: string, status: number, durationMs: number): void;
}

/** The metrics of one process: requests, and the default metrics of Node. Each area adds its own to the registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with the names of counters, which promtool warns of. The sums of the metrics without `_total` say the same.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const requestDurations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (method, route, status, durationMs) =>
      requestDurations.observe({ method, route, status }, durationMs / 1000),
  };
}

/** Shows which version an instance runs, for example while an upgrade is under way. */
export function addVersionMetric(registry: Registry, version: string): void {
  const gauge = new Gauge({
    name: 'keyfront_info',
    help: 'The version of the service. The value is always 1',
    labelNames: ['version'],
    registers: [registry],
    // Workers report the same version.
    aggregator: 'max',
  });
  gauge.set({ version }, 1);
}

/** Adds the number of dropped lines to the metrics. */
export function addLogMetrics(registry: Registry, output: { countDropped(): number }): void {
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines that were dropped because the reader of the log did not keep up, or because writing failed',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(output.countDropped());
    },
  });
}
