import { healthOperations, success } from '@keyfront/protocol';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migrations.ts';
import type { OperationBinder } from '../pipeline/operation-binder.ts';

interface HealthParts {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  /** Reads the state of the chain reader; null if none is configured. */
  readonly readChainReport: (() => Promise<ChainReport | null>) | null;
}

interface ChainReport {
  readonly position: number;
  readonly finalized: number;
  readonly alarm: string | null;
  readonly updatedAt: string;
}

/**
 * Liveness: the process responds. Readiness: the database accepts writes too, and has the schema of this version. The chain
 * reader has its own route, because the service works while the reader is stopped.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  binder: OperationBinder,
  { database, migrations, readChainReport }: HealthParts,
): void {
  app.get('/health/live', () => success(200, 'live'));

  app.get('/health/ready', async () => {
    if (!(await database.isReady(migrations))) {
      throw new ApiError('UNAVAILABLE', {
        message: 'The database does not have the schema of this version',
        headers: { 'retry-after': '5' },
      });
    }
    return success(200, 'ready');
  });

  app.get('/health/chain', async () => {
    if (!readChainReport) return success(200, 'no chain is configured');
    const report = await readChainReport();
    if (report?.alarm) throw new ApiError('UNAVAILABLE', { message: report.alarm });
    return success(200, report ?? 'the chain reader has not started yet');
  });

  binder.bind(healthOperations.getHealthStatus, () => 'Success');
}
