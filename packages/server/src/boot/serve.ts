import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { errorCode } from '../lib/errors/error-code.ts';
import { StartError } from '../lib/errors/start-error.ts';
import { resetFiles } from '../pipeline/responses/file-response.ts';
import { type ClusterHooks, createService, type ServiceLog, type ServiceSettings } from './service.ts';

export interface RunningService {
  readonly baseUrl: string;
  /**
   * Fails the readiness check and waits for the configured delay, unless it is skipped. Then accepts no new connections,
   * lets running requests finish, and closes every part. A part that does not close in time is given up: the process ends anyway.
   */
  close(options?: { readonly skipDelay?: boolean }): Promise<void>;
  /** Starts workers with other settings, and closes the former ones when those serve. Missing where there are no workers. */
  readonly replaceWorkers?: (settings: ServiceSettings) => Promise<void>;
}

/** The time that all parts have to close after the last request. They may wait for a database that does not respond. */
export const partsTimeoutMs = 3_000;

/** Connections that the system queues until they are accepted. When it is full, clients retry after a second. */
const backlog = 4_096;

/** Creates the service and listens, in this process. */
export async function serve(
  settings: ServiceSettings,
  log: ServiceLog,
  clusterHooks?: ClusterHooks,
): Promise<RunningService> {
  const { host, port, shutdownDelayMs, shutdownTimeoutMs } = settings.config;
  const { app, drainer, close: closeParts } = await createService(settings, log, clusterHooks);
  const close: RunningService['close'] = async ({ skipDelay = false } = {}) => {
    if (!skipDelay && shutdownDelayMs > 0) {
      drainer.begin();
      await delay(shutdownDelayMs);
    }
    const answered = app.server.listening ? once(app.server, 'close') : Promise.resolve();
    const closed = drain(app, shutdownTimeoutMs)
      .catch((error) => log.logger.error({ err: error }, 'The server could not be closed properly'))
      .then(closeParts);
    const timer = new AbortController();
    const late = answered.then(() => delay(partsTimeoutMs, 'late', { signal: timer.signal }));
    const outcome = await Promise.race([closed, late.catch(() => undefined)]);
    timer.abort();
    // Every response was sent after its changes were committed, so nothing is lost.
    if (outcome === 'late') log.logger.warn('A part of the service did not stop in time: it was given up');
  };
  try {
    await app.listen({ host, port, backlog });
  } catch (error) {
    await close({ skipDelay: true });
    throw toStartError(settings.config, error);
  }
  return { baseUrl: baseUrlOf(app.server), close };
}

/** Waits for running requests, and closes the connections of those that take too long. */
async function drain(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  void delay(timeoutMs, undefined, { signal: timer.signal }).then(
    () => {
      resetFiles(app);
      app.server.closeAllConnections();
    },
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
