import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createFolderStore } from '@keyfront/file-store';
import { MemoryCounter } from '@keyfront/rate-limiter';
import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { unauthorized } from '../../packages/server/src/auth/challenge.ts';
import type { Guard } from '../../packages/server/src/auth/guard.ts';
import { createTokens } from '../../packages/server/src/auth/tokens.ts';
import { type AppDependencies, buildApp } from '../../packages/server/src/boot/app.ts';
import type { Database } from '../../packages/server/src/database/database.ts';
import { addDatabaseMetrics } from '../../packages/server/src/database/database-metrics.ts';
import { readMigrations } from '../../packages/server/src/database/migrations/migrations.ts';
import { createDataCipher } from '../../packages/server/src/lib/encryption/data-cipher.ts';
import { createConcurrencyLimits } from '../../packages/server/src/limits/concurrency/concurrency-limits.ts';
import { createRateLimits } from '../../packages/server/src/limits/rates/rate-limits.ts';
import { createLogger } from '../../packages/server/src/observability/logging.ts';
import { createMetrics } from '../../packages/server/src/observability/metrics.ts';
import { SecurityLog } from '../../packages/server/src/observability/security-log.ts';
import { createResponseCipher } from '../../packages/server/src/pipeline/idempotency/response-cipher.ts';
import { OperationRouter } from '../../packages/server/src/pipeline/operation-router.ts';
import { UnreadResponses } from '../../packages/server/src/pipeline/responses/unread-responses.ts';
import { CatalogueCache } from '../../packages/server/src/resources/catalogue/catalogue-cache.ts';
import { anyHolder } from './any-holder.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { testProviders } from './test-providers.ts';

export interface TestApp extends TestDatabase {
  readonly app: FastifyInstance;
  readonly port: number;
  /** `http://127.0.0.1:…`, without the version prefix. */
  readonly origin: string;
  /** The lines of the log. */
  readonly logLines: string[];
  close(): Promise<void>;
}

/** Accepts every request without a credential. It exists only here. */
const admitEverybody: Guard = async () => ({ scope: anyHolder, credentialId: anyHolder.walletAddress });

/** Rejects every request, as the real guard rejects an unknown caller. */
export const refuseEverybody: Guard = async (_request, _reply, access) => {
  throw unauthorized(access, { code: 'TOKEN_INVALID', scheme: 'Bearer', reason: 'nobody is let in' });
};

/** What `/metrics` of a test service requires. */
export const testMetricsToken = 'a token for the metrics of tests';
export const testSecret = 'a secret that signs the tokens of tests';
export const noLimits = createRateLimits({ counter: new MemoryCounter(), enabled: false });

export const testCipher = createResponseCipher({ secret: testSecret, previousSecret: null });

/** Encrypts the medical records of tests. */
export const testDataKey = Buffer.alloc(32, 7);
const testDataCipher = createDataCipher({ key: testDataKey, previousKey: null });

/** For routes that a test adds to a service: they are let through as the service's own. */
export function testRouter(app: FastifyInstance, database: Database): OperationRouter {
  return new OperationRouter(app, {
    guard: admitEverybody,
    limits: noLimits,
    database,
    responseCipher: testCipher,
    callbackSecrets: { KYC: [], PAYMENT: [] },
    concurrencyLimits: createConcurrencyLimits({ poolSize: 25, streamPoolSize: 2 }),
    stallTimeoutMs: 30_000,
    unreadResponses: new UnreadResponses(),
    securityLog: new SecurityLog({ info: () => undefined, warn: () => undefined }),
  });
}

/** A whole service on a database of its own, listening on the loopback interface. */
export async function startTestApp(
  parts: Partial<AppDependencies> = {},
  prepare?: (app: FastifyInstance, database: Database) => void,
): Promise<TestApp> {
  return startTestAppOn(await createTestDatabase(), parts, prepare);
}

/** The same on an existing database. */
export async function startTestAppOn(
  testDatabase: TestDatabase,
  parts: Partial<AppDependencies> = {},
  prepare?: (app: FastifyInstance, database: Database) => void,
): Promise<TestApp> {
  const logLines: string[] = [];
  // The store makes the folder when it needs it.
  const imageFolder = join(inject('runFolder'), `images-${randomUUID()}`);
  const metrics = createMetrics();
  addDatabaseMetrics(metrics.registry, testDatabase.database);
  const app = await buildApp({
    database: testDatabase.database,
    migrations: await readMigrations(),
    guard: admitEverybody,
    tokens: createTokens({ secret: testSecret, previousSecret: null }),
    limits: noLimits,
    responseCipher: testCipher,
    dataCipher: testDataCipher,
    chain: null,
    // Without a change feed nothing is cached.
    catalogueCache: new CatalogueCache({ isTrusted: () => false }),
    imageStore: createFolderStore(imageFolder),
    archiveStore: createFolderStore(join(imageFolder, 'orders')),
    marketplaceContract: null,
    providers: testProviders,
    sellerName: 'Example Botanics',
    signIn: { domain: null, uri: null, chainId: 1, rpcUrl: null, adminWallets: [] },
    logger: createLogger('debug', { write: (line) => logLines.push(line) }),
    metrics,
    publicUrl: null,
    stagingUrl: null,
    corsOrigins: [],
    trustProxy: [],
    metricsToken: testMetricsToken,
    ...parts,
  });
  prepare?.(app, testDatabase.database);
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
      await testDatabase.close();
    },
  };
}
