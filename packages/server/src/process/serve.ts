import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from '../app.ts';
import { createTokens } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { ChangeFeed } from '../database/change-feed.ts';
import { Database } from '../database/database.ts';
import { readMigrations } from '../database/migrations.ts';
import { errorCode } from '../error-code.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { createMetrics } from '../http/metrics.ts';
import { createResponseCipher } from '../pipeline/idempotency/response-cipher.ts';
import type { LedgerLink } from '../rate-limit/ledger-messages.ts';
import { openRateLimits } from '../rate-limit/open-rate-limits.ts';
import { CatalogueCache } from '../resources/catalogue-cache.ts';
import { StartError } from '../start-error.ts';
import { createIdentity } from './identity.ts';
import { followedChain, startJobs } from './jobs.ts';

/** What a serving process needs to know. Plain values, so that they can be sent to a worker. */
export interface ServeSettings {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly jwtSecret: string;
  /** The configured ones and the demo's, in lower case. */
  readonly adminWallets: readonly string[];
}

export interface RunningService {
  readonly baseUrl: string;
  /** Takes no new connections, lets running requests finish, and ends. */
  close(): Promise<void>;
}

/** What processes that serve one port do in common. */
export interface ClusterHooks {
  /** Joins the metrics of this process with those of the others; says how to read them all. */
  readonly joinMetrics: (own: Registry) => () => Promise<string>;
  /** The way to the process that counts for the limits. */
  readonly ledgerLink: LedgerLink;
}

const drainMs = 10_000;
/** Connections that the system holds until they are accepted. Beyond it a caller's system tries again a second later. */
const backlog = 4_096;

/** Listens and serves, in this process. */
export async function serve(
  settings: ServeSettings,
  logger: Logger,
  together?: ClusterHooks,
): Promise<RunningService> {
  const { config, databaseUrl, adminWallets } = settings;
  const warn = (sentence: string) => (error: unknown) => logger.warn({ err: error }, sentence);
  // What was opened last is closed first, also when the start cannot go on.
  const closers: (() => Promise<void> | void)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const database = new Database({
      url: databaseUrl,
      poolSize: config.databasePoolSize,
      onIdleError: warn('A connection to the database broke'),
    });
    closers.push(() => database.close());
    await database.verifyRoles();
    const metrics = createMetrics(database);
    const secrets = { secret: settings.jwtSecret, previousSecret: config.previousJwtSecret };
    const tokens = createTokens(secrets);
    const { limits, close: closeLimits } = openRateLimits({
      enabled: config.rateLimit,
      redisUrl: config.redisUrl,
      workers: config.workers,
      link: together?.ledgerLink,
      onRedisUnavailable: warn('Redis is unavailable: rate limits are counted without it'),
      onRedisRestored: () => logger.info('Redis is available again and counts the rate limits'),
    });
    closers.push(closeLimits);
    const feed = new ChangeFeed({
      url: databaseUrl,
      onLost: warn('The connection that tells of changes broke'),
    });
    closers.push(() => feed.close());
    const identity = createIdentity({ database, feed, tokens, limits, adminWallets, logger });
    closers.push(identity.close);
    const catalogueCache = new CatalogueCache({ isTrusted: () => feed.isTrusted });
    feed.onChange('catalogue', () => catalogueCache.clear());
    await feed.start();
    closers.push(startJobs({ database, databaseUrl, config, logger, registry: metrics.registry }));
    const app = await buildApp({
      ...config,
      database,
      migrations: await readMigrations(),
      guard: identity.guard,
      tokens,
      limits,
      responseCipher: createResponseCipher(secrets),
      catalogueCache,
      chain: followedChain(config),
      signIn: {
        domain: config.signInDomain,
        uri: config.signInUri,
        chainId: config.chainId,
        rpcUrl: config.rpcUrl,
        onRpcFailure: warn('The Ethereum node could not be asked about a smart wallet'),
        adminWallets,
      },
      logger,
      metrics,
      ...(together ? { readAllMetrics: together.joinMetrics(metrics.registry) } : {}),
    });
    closers.push(() => drain(app));
    await app.listen({ host: config.host, port: config.port, backlog }).catch((error) => {
      throw cannotListen(config, error);
    });
    return { baseUrl: baseUrlOf(app.server), close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Lets running requests finish; whoever has not finished after ten seconds is cut off. */
async function drain(app: FastifyInstance): Promise<void> {
  const patience = new AbortController();
  void delay(drainMs, undefined, { signal: patience.signal }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  );
  await app.close().finally(() => patience.abort());
}

function cannotListen({ host, port }: Config, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is taken: stop what listens there, or set PORT to another one (PORT=0 takes a free one).`,
      );
    case 'EACCES':
      return new StartError(`Port ${port} may not be used by this user: set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine has no address ${host}: set HOST to one that it has, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}
