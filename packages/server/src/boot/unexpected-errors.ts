import type { Logger } from 'pino';

/**
 * Decides what an error that no code handles does to the process. This is the only place that does.
 *
 * A rejected promise is logged, and the process goes on: its async function has ended, and nothing else was interrupted. If
 * it ended the process, whoever finds one request that causes it could stop the service.
 *
 * An exception out of a callback may have interrupted any code, so nobody knows what it has left behind. The process
 * takes no more requests, completes those that run, and exits with code 1, so that another takes its place.
 */
export function watchUnexpectedErrors(
  source: NodeJS.EventEmitter,
  logger: Pick<Logger, 'error' | 'fatal'>,
  shutDown: () => void,
): void {
  source.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'Unhandled promise rejection'));
  source.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception: shutting down');
    shutDown();
  });
}
