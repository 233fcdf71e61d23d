import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { Database } from '../database/database.ts';
import { readMigrations } from '../database/migrations.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { refuseEverybody } from '../http/guard.ts';
import { createMetrics } from '../http/metrics.ts';
import { StartError } from './start-error.ts';

/** What a serving process needs to know. Plain values, so that they can be sent to a worker. */
export interface ServeSettings {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly jwtSecret: string;
}

export interface RunningService {
  readonly baseUrl: string;
  /** Takes no new connections, lets running requests finish, and ends. */
  close(): Promise<void>;
}

const drainMs = 10_000;

/** Listens and serves, in this process. */
export async function serve(
  { config, databaseUrl }: ServeSettings,
  logger: Logger,
  /** Joins the metrics of this process with those of others; says how to read them all. */
  joinMetrics?: (own: Registry) => () => Promise<string>,
): Promise<RunningService> {
  const database = new Database({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    onIdleError: (error) => logger.warn({ err: error }, 'A connection to the database broke'),
  });
  try {
    await database.verifyRoles();
    const metrics = createMetrics(database);
    const app = await buildApp({
      ...config,
      database,
      migrations: await readMigrations(),
      guard: refuseEverybody,
      logger,
      metrics,
      ...(joinMetrics ? { readAllMetrics: joinMetrics(metrics.registry) } : {}),
    });
    await app.listen({ host: config.host, port: config.port }).catch((error) => {
      throw cannotListen(config, error);
    });
    return {
      baseUrl: baseUrlOf(app.server),
      close: async () => {
        const patience = new AbortController();
        const drained = app.close().finally(() => patience.abort());
        // Whoever has not finished by then is cut off.
        void delay(drainMs, undefined, { signal: patience.signal }).then(
          () => app.server.closeAllConnections(),
          () => undefined,
        );
        await drained;
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function cannotListen({ host, port }: Config, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
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
