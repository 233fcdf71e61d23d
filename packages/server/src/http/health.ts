import { healthOperations, success } from '@keyfront/protocol';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migrations.ts';
import type { OperationBinder } from '../pipeline/operation-binder.ts';

interface HealthParts {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  /** How the chain reader fares; null where none is configured. */
  readonly readChainReport: (() => Promise<ChainReport | null>) | null;
}

interface ChainReport {
  readonly position: number;
  readonly finalized: number;
  readonly alarm: string | null;
  readonly updatedAt: string;
}

/**
 * Liveness: the process answers. Readiness: the database does too, and its schema is the one this version needs. The chain
 * has a place of its own: a service whose reader has stopped still serves.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  binder: OperationBinder,
  { database, migrations, readChainReport }: HealthParts,
): void {
  app.get('/health/live', () => success(200, 'live'));

  app.get('/health/ready', async () => {
    if (!(await database.hasMigrations(migrations))) {
      throw new ApiError('UNAVAILABLE', {
        message: 'The database is not migrated to this version',
        headers: { 'retry-after': '5' },
      });
    }
    return success(200, 'ready');
  });

  app.get('/health/chain', async () => {
    if (!readChainReport) return success(200, 'no chain is followed');
    const report = await readChainReport();
    if (report?.alarm) throw new ApiError('UNAVAILABLE', { message: report.alarm });
    return success(200, report ?? 'the chain reader has not begun yet');
  });

  binder.bind(healthOperations.getHealthStatus, () => 'Success');
}
