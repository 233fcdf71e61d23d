import type { PrimaryWatch } from '@keyfront/postgres';
import { type ChainIdentity, readReaderReport } from '../../chain/reader/position-queries.ts';
import type { Migration } from '../../database/migrations/migrations.ts';
import type { ConnectionDrainer } from '../../http/connection-draining.ts';
import { addReferenceRoutes } from '../../http/docs/reference-routes.ts';
import { addHealthRoutes } from '../../http/service-routes/health-routes.ts';
import { addMetricsRoute } from '../../http/service-routes/metrics-route.ts';
import { ageSecondsOf } from '../../resources/webhooks/delivery/delivery-metrics.ts';
import { readBacklog } from '../../resources/webhooks/delivery/delivery-rules.ts';
import type { Area } from './area.ts';

export interface OperatorDependencies {
  readonly migrations: readonly Migration[];
  /** The chain that is followed; null where none is. */
  readonly chain: ChainIdentity | null;
  /** Watches the servers of a database that has several. */
  readonly primaries?: Pick<PrimaryWatch, 'isSuperseded'>;
  readonly stagingUrl: string | null;
  readonly metricsToken: string | null;
  /** The metrics of all processes, where there are several. */
  readonly readAllMetrics?: () => Promise<string>;
}

/** Health, metrics and the reference. */
export function addOperator(
  { app, router, registry, database, baseUrl, isSandbox }: Area,
  { chain, stagingUrl, metricsToken, readAllMetrics, ...health }: OperatorDependencies,
  drainer: ConnectionDrainer,
): void {
  addHealthRoutes(app, router, {
    ...{ ...health, database, drainer },
    readChainReport: chain && (() => readReaderReport(database, chain)),
    readBacklogAge: async () => ageSecondsOf(await readBacklog(database)),
  });
  addReferenceRoutes(app, { baseUrl, stagingUrl, isSandbox });
  addMetricsRoute(app, {
    read: readAllMetrics ?? (() => registry.metrics()),
    contentType: registry.contentType,
    token: metricsToken,
  });
}
