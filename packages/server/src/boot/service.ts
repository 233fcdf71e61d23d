import type { LineWriter } from '@keyfront/log-writer';
import { PrimaryWatch } from '@keyfront/postgres';
import type { Provider } from '@keyfront/protocol';
import type { LedgerLink } from '@keyfront/rate-limiter';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createTokens } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { ChangeFeed } from '../database/coordination/change-feed.ts';
import { DatabaseClock, readDatabaseTime } from '../database/coordination/database-clock.ts';
import { Database } from '../database/database.ts';
import { addClockMetric, addDatabaseMetrics, addPrimaryMetrics } from '../database/database-metrics.ts';
import { readMigrations } from '../database/migrations/migrations.ts';
import { ConnectionDrainer } from '../http/connection-draining.ts';
import { createDataCipher, type DataKeys } from '../lib/encryption/data-cipher.ts';
import { runPeriodically } from '../lib/run-periodically.ts';
import { openRateLimits } from '../limits/rates/open-rate-limits.ts';
import { addLogMetrics, addVersionMetric, createMetrics } from '../observability/metrics.ts';
import { setTracing, type TracingConfig } from '../observability/tracing.ts';
import { createResponseCipher } from '../pipeline/idempotency/response-cipher.ts';
import { CatalogueCache } from '../resources/catalogue/catalogue-cache.ts';
import { medicalRecordTable } from '../resources/clients/medical-record-queries.ts';
import { readDemoFile } from '../resources/demo/demo-file.ts';
import { createDemoProvider } from '../resources/demo/demo-provider.ts';
import { readProvider } from '../resources/providers/provider-settings.ts';
import { webhookSecretTable } from '../resources/webhooks/webhook-queries.ts';
import { buildApp } from './app.ts';
import { createAuthentication } from './authentication.ts';
import { openFileStores } from './data-folder/file-stores.ts';
import type { DataKeyTexts } from './data-folder/open-database.ts';
import { findFollowedChain, startJobs } from './jobs/start-jobs.ts';
import { readServiceVersion } from './service-version.ts';

/** What a serving process needs to know. Plain values, so that they can be sent to a worker process. */
export interface ServiceSettings {
  readonly config: Config;
  readonly databaseUrl: string;
  /** PostgreSQL itself, if `databaseUrl` leads to a connection pooler. Otherwise null. */
  readonly databaseDirectUrl: string | null;
  readonly jwtSecret: string;
  readonly dataKeys: DataKeyTexts | null;
  /** Those of the configuration and of the demo, in lower case. */
  readonly adminWallets: readonly string[];
  /** Whether the database holds the demo. */
  readonly isDemo: boolean;
  /** Opens the wallets of the demo in the console. Null if they are not offered. */
  readonly consoleToken: string | null;
}

/** The log of a process: its logger, and the output that the logger writes to. */
export interface ServiceLog {
  readonly logger: Logger;
  readonly output: LineWriter;
}

/** How a worker process takes part in what all workers share. */
export interface ClusterHooks {
  /** Adds the metrics of this process to those of the others. Returns a function that reads all of them. */
  readonly joinMetrics: (own: Registry) => () => Promise<string>;
  /** Connects to the process that counts for the rate limits. */
  readonly ledgerLink: LedgerLink;
}

/** The parts of one serving process, connected and running. The app does not listen yet. */
export interface Service {
  readonly app: FastifyInstance;
  readonly drainer: ConnectionDrainer;
  /** Closes every part behind the app, in reverse order of creation. The caller closes the app first. */
  close(): Promise<void>;
}

const checkClockEveryMs = 30_000;

/** Longer than a request is on its way, and hardly noticeable at the end of a process. */
const drainOptions = { lingerMs: 500, announceAfterMs: 200 };

/**
 * The composition root: creates every part of a serving process and connects them. `app.ts` does the same for the
 * routes, and `authentication.ts` for the guard.
 */
export async function createService(
  settings: ServiceSettings,
  { logger, output }: ServiceLog,
  clusterHooks?: ClusterHooks,
): Promise<Service> {
  const { config, databaseUrl, databaseDirectUrl, jwtSecret, dataKeys, adminWallets, isDemo, consoleToken } =
    settings;
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closePart of closers.splice(0).reverse()) {
      try {
        await closePart();
      } catch (error) {
        logger.error({ err: error }, 'A part of the service could not be closed properly');
      }
    }
  };
  try {
    if (config.tracing) closers.push(await openTracing(config.tracing, warn('Traces could not be sent')));
    // For connections that keep a session, which a connection pooler does not give.
    const sessionUrl = databaseDirectUrl ?? databaseUrl;
    const primaries = new PrimaryWatch({ url: sessionUrl, onConflict: (sentence) => logger.error(sentence) });
    closers.push(() => primaries.close());
    await primaries.start();
    const database = new Database({
      url: databaseUrl,
      directUrl: databaseDirectUrl,
      replicaUrls: config.databaseReplicaUrls,
      poolSize: config.databasePoolSize,
      onIdleError: warn('An idle database connection was lost'),
      onReplicaChange: (replica, state, cause) => {
        if (state === 'used') logger.info({ replica }, 'A database replica is used');
        else if (state === 'primary') logger.info({ replica }, 'A database replica is the primary');
        else if (state === 'lagging')
          logger.warn({ replica }, 'A database replica is left out: it lags behind the primary');
        else logger.warn({ replica, err: cause }, 'A database replica is left out: it cannot be used');
      },
      onSilence: () => logger.warn('Database connections were replaced because the server did not respond'),
    });
    closers.push(() => database.close());
    await database.verifyRoles();
    const dataCipher = dataKeys && createDataCipher(readDataKeys(dataKeys));
    await medicalRecordTable.verifyKeys(database, dataCipher);
    await webhookSecretTable.verifyKeys(database, dataCipher);

    const clock = new DatabaseClock({
      read: () => readDatabaseTime(database),
      onDifference: (aheadSeconds) =>
        logger.error(
          { aheadSeconds },
          'The clock of this machine differs from that of the database: correct it',
        ),
    });
    await clock.check();
    const clockJob = runPeriodically({
      everyMs: checkClockEveryMs,
      work: () => clock.check(),
      onError: warn('The clock of the database could not be read'),
    });
    closers.push(() => clockJob.stop());
    const databaseNow = () => clock.now();

    const metrics = createMetrics();
    addDatabaseMetrics(metrics.registry, database);
    addClockMetric(metrics.registry, () => clock.aheadSeconds);
    addLogMetrics(metrics.registry, output);
    addPrimaryMetrics(metrics.registry, primaries);
    addVersionMetric(metrics.registry, readServiceVersion());
    const secrets = { secret: jwtSecret, previousSecret: config.previousJwtSecret };
    const tokens = createTokens({ ...secrets, now: () => new Date(clock.now()) });

    const { limits, close: closeLimits } = openRateLimits({
      enabled: config.rateLimit,
      redisUrl: config.redisUrl,
      workers: config.workers,
      link: clusterHooks?.ledgerLink,
      onRedisUnavailable: warn('Redis is unavailable: rate limits are counted without it'),
      onRedisRestored: () => logger.info('Redis is available again and counts the rate limits'),
    });
    closers.push(closeLimits);

    const feed = new ChangeFeed({
      url: sessionUrl,
      onLost: warn('The connection that listens for changes was lost: reconnecting'),
    });
    closers.push(() => feed.close());
    const authentication = createAuthentication({
      ...{ database, feed, tokens, limits, adminWallets, logger, databaseNow },
      publicUrl: config.publicUrl,
    });
    closers.push(authentication.close);
    const catalogueCache = new CatalogueCache({ isTrusted: () => feed.isTrusted });
    feed.onChange('catalogue', () => catalogueCache.clear());
    await feed.start();

    closers.push(
      startJobs({
        database,
        databaseUrl: sessionUrl,
        config,
        dataCipher,
        logger,
        registry: metrics.registry,
      }),
    );

    const hasDemoProviders = isDemo || config.sandbox;
    const findProvider = (name: Provider, configured: Parameters<typeof readProvider>[0]) =>
      readProvider(configured) ?? (hasDemoProviders ? createDemoProvider(name, jwtSecret) : null);
    const drainer = new ConnectionDrainer(drainOptions);
    const app = await buildApp({
      ...config,
      // Each worker accepts its share of the connections.
      maxConnectionsPerAddress: Math.ceil(config.maxConnectionsPerAddress / config.workers),
      database,
      migrations: await readMigrations(),
      primaries,
      guard: authentication.guard,
      tokens,
      databaseNow,
      limits,
      responseCipher: createResponseCipher(secrets),
      dataCipher,
      catalogueCache,
      isDemo,
      demoWallets: consoleToken ? { token: consoleToken, read: () => readDemoFile(config.dataFolder) } : null,
      deliveries: { url: sessionUrl },
      providers: {
        KYC: findProvider('KYC', config.kycProvider),
        PAYMENT: findProvider('PAYMENT', config.paymentProvider),
      },
      ...openFileStores(config.imageStorage),
      chain: findFollowedChain(config),
      signIn: {
        domain: config.signInDomain,
        uri: config.signInUri,
        otherDomains: config.signInDomains,
        chainId: config.chainId,
        rpcUrl: config.rpcUrl,
        onRpcFailure: warn('The Ethereum node could not verify the signature of a smart wallet'),
        adminWallets,
      },
      logger,
      metrics,
      drainer,
      ...(clusterHooks ? { readAllMetrics: clusterHooks.joinMetrics(metrics.registry) } : {}),
    });
    return { app, drainer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns a function that sends the last spans. */
async function openTracing(
  config: TracingConfig,
  onFailure: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const { startTracing } = await import('../observability/open-telemetry.ts');
  const tracing = startTracing({ ...config, onFailure });
  setTracing(tracing);
  return async () => {
    setTracing(null);
    await tracing.close();
  };
}

function readDataKeys({ key, previousKey }: DataKeyTexts): DataKeys {
  return {
    key: Buffer.from(key, 'hex'),
    previousKey: previousKey === null ? null : Buffer.from(previousKey, 'hex'),
  };
}
