import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ApiError } from '../api-error.ts';
import type { Database } from '../database/database.ts';
import type { PrimaryWatch } from '../database/primary-watch.ts';
import type { ReplicaSet } from '../database/replicas/replica-set.ts';
import type { ConcurrencyLimits } from '../pipeline/concurrency-limits.ts';
import { equalSecrets } from './equal-secrets.ts';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(method: string, route: string, status: number, durationMs: number): void;
  watchConcurrencyLimits(limits: ConcurrencyLimits): void;
  watchStreams(count: () => number): void;
  watchPrimaries(primaries: Pick<PrimaryWatch, 'count' | 'isSuperseded'>): void;
  watchClock(aheadSeconds: () => number): void;
}

/** The metrics of one process: requests, the connection pool, the event loop and the default metrics of Node. */
export function createMetrics(database: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestDurations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to the database by state, and queries that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = database.poolUsage();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'queued' }, waiting);
    },
  });
  new Counter({
    name: 'database_shared_requests_total',
    help: 'Requests that were committed together with others, and those that were repeated alone',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      const { committed, repeated } = database.sharedRequests;
      this.inc({ outcome: 'committed' }, committed);
      this.inc({ outcome: 'repeated' }, repeated);
    },
  });
  if (database.replicas) addReplicaMetrics(registry, database.replicas);
  return {
    registry,
    observeRequest: (method, route, status, durationMs) =>
      requestDurations.observe({ method, route, status }, durationMs / 1000),
    watchStreams: (count) => {
      new Gauge({
        name: 'event_streams',
        help: 'Open streams of events',
        registers: [registry],
        collect() {
          this.set(count());
        },
      });
    },
    watchPrimaries: (primaries) => {
      new Gauge({
        name: 'database_primaries',
        help: 'Servers of DATABASE_URL that accept writes, if it names several',
        registers: [registry],
        aggregator: 'max',
        collect() {
          this.set(primaries.count);
        },
      });
      new Gauge({
        name: 'database_primary_superseded',
        help: '1 if the servers that accept writes are not used, because another one was promoted after them',
        registers: [registry],
        aggregator: 'max',
        collect() {
          this.set(primaries.isSuperseded ? 1 : 0);
        },
      });
    },
    watchClock: (aheadSeconds) => {
      new Gauge({
        name: 'database_clock_difference_seconds',
        help: 'How far the clock of the machine is ahead of that of the database. Negative if it is behind',
        registers: [registry],
        // Workers of a machine have the same clock.
        aggregator: 'average',
        collect() {
          this.set(aheadSeconds());
        },
      });
    },
    watchConcurrencyLimits: (limits) => {
      new Gauge({
        name: 'http_requests_waiting',
        help: 'Requests in the queues of the concurrency limiters',
        labelNames: ['kind'],
        registers: [registry],
        collect() {
          this.set({ kind: 'request' }, limits.requests.queued);
          this.set({ kind: 'large-page' }, limits.largePages.queued);
          this.set({ kind: 'search' }, limits.searches.queued);
          this.set({ kind: 'export' }, limits.exports.queued + limits.platformExports.queued);
          this.set({ kind: 'upload' }, limits.uploads.queued);
          this.set({ kind: 'stream' }, limits.streams.queued);
        },
      });
    },
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

/** Workers report the same replicas, so their gauges are not summed. */
function addReplicaMetrics(registry: Registry, replicas: ReplicaSet): void {
  new Gauge({
    name: 'database_replica_used',
    help: '1 if reads go to the replica, 0 if it is left out. The primary has none',
    labelNames: ['replica'],
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.reset();
      for (const { name, state } of replicas.replicas) {
        if (state !== 'primary') this.set({ replica: name }, state === 'used' ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Age of the first change that the replica is known to lack',
    labelNames: ['replica'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset();
      for (const { name, lagMs } of replicas.replicas) {
        if (lagMs !== null) this.set({ replica: name }, lagMs / 1000);
      }
    },
  });
  new Counter({
    name: 'database_replica_reads_total',
    help: 'Queries that may use a replica, by the server that they went to',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ server: 'primary' }, replicas.readsOfPrimary);
      for (const { name, reads } of replicas.replicas) this.inc({ server: name }, reads);
    },
  });
}

interface MetricsRouteOptions {
  /** Reads all metrics in the Prometheus text format. */
  readonly read: () => Promise<string>;
  readonly contentType: string;
  readonly token: string | null;
}

/**
 * `/metrics`, for callers with the token. An address proves nothing: a proxy on this machine calls from the loopback
 * interface on behalf of anybody, and need not say so in a header.
 */
export function addMetricsRoute(
  app: FastifyInstance,
  { read, contentType, token }: MetricsRouteOptions,
): void {
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, token)) {
      const reason = 'the authorization header must have the token of METRICS_TOKEN';
      throw new ApiError('TOKEN_INVALID', {
        reason,
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      });
    }
    return reply.type(contentType).send(await read());
  });
}

function hasToken(request: FastifyRequest, token: string | null): boolean {
  const { authorization } = request.headers;
  return token !== null && authorization !== undefined && equalSecrets(authorization, `Bearer ${token}`);
}
