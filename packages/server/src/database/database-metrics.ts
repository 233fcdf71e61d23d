import type { PrimaryWatch } from '@keyfront/postgres';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from './database.ts';
import type { ReplicaSet } from './replicas/replica-set.ts';

/** Adds the metrics of the connections, of shared transactions and of the replicas. */
export function addDatabaseMetrics(registry: Registry, database: Database): void {
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
}

/** Adds the metrics of the servers that accept writes. */
export function addPrimaryMetrics(
  registry: Registry,
  primaries: Pick<PrimaryWatch, 'count' | 'isSuperseded'>,
): void {
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
}

/** Adds the difference between the clocks of this machine and of the database. */
export function addClockMetric(registry: Registry, aheadSeconds: () => number): void {
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
