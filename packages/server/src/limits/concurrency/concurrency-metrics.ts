import { Gauge, type Registry } from 'prom-client';
import type { ConcurrencyLimits } from './concurrency-limits.ts';

/** Adds how many requests wait, by kind. */
export function addConcurrencyMetrics(registry: Registry, limits: ConcurrencyLimits): void {
  new Gauge({
    name: 'http_requests_waiting',
    help: 'Requests in the queues of the concurrency limiters',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.set({ kind: 'request' }, limits.requests.queued);
      this.set({ kind: 'large-page' }, limits.largePages.queued);
      this.set({ kind: 'search' }, limits.searches.queued);
      this.set({ kind: 'export' }, limits.exports.queued + limits.adminExports.queued);
      this.set({ kind: 'upload' }, limits.uploads.queued);
      this.set({ kind: 'stream' }, limits.streams.queued);
    },
  });
}
