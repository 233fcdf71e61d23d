import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type AppParts, buildApp } from '../../packages/server/src/app.ts';
import { readMigrations } from '../../packages/server/src/database/migrations.ts';
import type { HolderScope } from '../../packages/server/src/database/scope.ts';
import type { Guard } from '../../packages/server/src/http/guard.ts';
import { createLogger } from '../../packages/server/src/http/logging.ts';
import { createMetrics } from '../../packages/server/src/http/metrics.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestApp extends TestDatabase {
  readonly app: FastifyInstance;
  readonly port: number;
  /** `http://127.0.0.1:…`, without the version prefix. */
  readonly origin: string;
  /** What was logged, line by line. */
  readonly logLines: string[];
  close(): Promise<void>;
}

export const testScope: HolderScope = {
  role: 'holder',
  holderId: '019a8f3e-7c00-7000-8000-0000000000aa',
  tokenId: 1,
  walletAddress: `0x${'a'.repeat(40)}`,
};

/** The switch that lets guarded routes answer without a credential. It exists only here. */
export const admitEverybody: Guard = async () => testScope;

/** A whole service on a database of its own, listening on the loopback interface. */
export async function startTestApp(
  parts: Partial<AppParts> = {},
  prepare?: (app: FastifyInstance) => void,
): Promise<TestApp> {
  const testDatabase = await createTestDatabase();
  const logLines: string[] = [];
  const app = await buildApp({
    database: testDatabase.database,
    migrations: await readMigrations(),
    guard: admitEverybody,
    logger: createLogger('debug', { write: (line) => logLines.push(line) }),
    metrics: createMetrics(testDatabase.database),
    publicUrl: null,
    stagingUrl: null,
    corsOrigins: [],
    trustProxy: false,
    metricsToken: null,
    ...parts,
  });
  prepare?.(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    ...testDatabase,
    app,
    port,
    origin: `http://127.0.0.1:${port}`,
    logLines,
    close: async () => {
      await app.close();
      await testDatabase.drop();
    },
  };
}
