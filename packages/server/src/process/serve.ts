import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { errorCode } from '../error-code.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { StartError } from '../start-error.ts';
import { type ClusterHooks, createService, type ServiceSettings } from './service.ts';

export interface RunningService {
  readonly baseUrl: string;
  /** Accepts no new connections, lets running requests finish, and closes every part. */
  close(): Promise<void>;
}

/** How long running requests may take to finish after the service was told to stop. */
const drainTimeoutMs = 10_000;
/** Connections that the system queues until they are accepted. When it is full, clients retry after a second. */
const backlog = 4_096;

/** Creates the service and listens, in this process. */
export async function serve(
  settings: ServiceSettings,
  logger: Logger,
  clusterHooks?: ClusterHooks,
): Promise<RunningService> {
  const { host, port } = settings.config;
  const { app, close: closeParts } = await createService(settings, logger, clusterHooks);
  const close = (): Promise<void> => drain(app).finally(closeParts);
  try {
    await app.listen({ host, port, backlog });
  } catch (error) {
    await close();
    throw toStartError(settings.config, error);
  }
  return { baseUrl: baseUrlOf(app.server), close };
}

/** Waits for running requests, and closes the connections of those that take too long. */
async function drain(app: FastifyInstance): Promise<void> {
  const timer = new AbortController();
  void delay(drainTimeoutMs, undefined, { signal: timer.signal }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  );
  await app.close().finally(() => timer.abort());
}

function toStartError({ host, port }: Config, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is already in use: stop the program that listens there, or set PORT to another port ` +
          '(PORT=0 chooses a free one).',
      );
    case 'EACCES':
      return new StartError(`This user may not listen on port ${port}: set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine has no address ${host}: set HOST to one of its addresses, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}
