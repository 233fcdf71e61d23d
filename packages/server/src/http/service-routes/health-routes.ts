import type { PrimaryWatch } from '@keyfront/postgres';
import { healthOperations, success } from '@keyfront/protocol';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { Migration } from '../../database/migrations/migrations.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { ConnectionDrainer } from '../connection-draining.ts';
import { atMostEvery } from './at-most-every.ts';

interface HealthDependencies {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly drainer: Pick<ConnectionDrainer, 'isDraining'>;
  readonly primaries?: Pick<PrimaryWatch, 'isSuperseded'> | undefined;
  /** Reads the state of the chain reader; null if none is configured. */
  readonly readChainReport: (() => Promise<ChainReport | null>) | null;
  /** Reads the age in seconds of the oldest delivery to a webhook that was never attempted. */
  readonly readBacklogAge: () => Promise<number>;
  readonly now?: (() => number) | undefined;
}

interface ChainReport {
  readonly position: number;
  readonly finalized: number;
  readonly alarm: string | null;
  readonly updatedAt: string;
}

/** Anybody may call these routes, so what they ask the database for is shared between calls. */
const checkIntervalMs = 1_000;

/** Beyond it, deliveries to webhooks do not keep up, or no process makes them. */
const longestDeliveryWaitSeconds = 300;

/**
 * Liveness: the process responds. Readiness: the database accepts writes too, and has the schema of this version, and the
 * service is not shutting down. The chain reader and
 * deliveries have their own routes, because the service works while they are stopped.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  router: OperationRouter,
  { database, migrations, drainer, primaries, readChainReport, readBacklogAge, now }: HealthDependencies,
): void {
  const checkDatabase = atMostEvery(checkIntervalMs, () => database.isReady(migrations), now);
  const checkChain = readChainReport && atMostEvery(checkIntervalMs, readChainReport, now);

  const checkDeliveries = atMostEvery(checkIntervalMs, readBacklogAge, now);

  app.get('/health/live', () => success(200, 'live'));

  app.get('/health/ready', async () => {
    if (drainer.isDraining) {
      throw new ApiError('UNAVAILABLE', { message: 'The service is shutting down' });
    }
    if (primaries?.isSuperseded) {
      // Anybody may ask, so it does not name the servers.
      throw new ApiError('UNAVAILABLE', {
        message:
          'The database server that accepts writes is not used, because another one was promoted after it and may still exist. The log names both',
        headers: { 'retry-after': '5' },
      });
    }
    if (!(await checkDatabase())) {
      throw new ApiError('UNAVAILABLE', {
        message: 'The database does not have the schema of this version',
        headers: { 'retry-after': '5' },
      });
    }
    return success(200, 'ready');
  });

  app.get('/health/chain', async () => {
    if (!checkChain) return success(200, 'no chain is configured');
    const report = await checkChain();
    if (report?.alarm) throw new ApiError('UNAVAILABLE', { message: report.alarm });
    return success(200, report ?? 'the chain reader has not started yet');
  });

  app.get('/health/webhooks', async () => {
    const ageSeconds = Math.round(await checkDeliveries());
    if (ageSeconds > longestDeliveryWaitSeconds) {
      throw new ApiError('UNAVAILABLE', {
        message: `A delivery to a webhook has waited for its first attempt for ${ageSeconds} seconds`,
      });
    }
    return success(200, 'deliveries are made in time');
  });

  router.add(healthOperations.getHealthStatus, () => 'Success');
}
