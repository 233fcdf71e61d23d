import { openStdout } from '@keyfront/log-writer';
import type { LedgerLink } from '@keyfront/rate-limiter';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { StartError } from '../lib/errors/start-error.ts';
import { createLogger } from '../observability/logging.ts';
import { type RunningService, serve } from './serve.ts';
import { watchUnexpectedErrors } from './unexpected-errors.ts';
import { type FromWorker, isKeyfrontMessage, type ToWorker } from './worker-messages.ts';

/** Runs one of several processes that serve the port. The primary process controls it; it ends when that one ends. */
export function runWorker(): void {
  // A terminal sends signals to every process of the group. Only the primary process acts on them.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.on('SIGHUP', () => undefined);

  let service: Promise<RunningService> | undefined;
  const shutDown = async (options: { skipDelay: boolean; exitCode?: number }): Promise<void> => {
    await service?.then((running) => running.close(options)).catch(() => undefined);
    process.exit(options.exitCode ?? 0);
  };
  // The primary process has died, and its port with it.
  process.on('disconnect', () => shutDown({ skipDelay: true }));
  process.on('message', (message: ToWorker) => {
    if (!isKeyfrontMessage(message)) return;
    if (message.keyfront === 'close') void shutDown({ skipDelay: false });
    if (message.keyfront === 'serve') {
      // Standard output is a pipe to the primary process, which formats the lines for a terminal.
      const output = openStdout();
      const logger = createLogger(message.settings.config.logLevel, output);
      watchUnexpectedErrors(process, logger, () => void shutDown({ skipDelay: true, exitCode: 1 }));
      service = serve(message.settings, { logger, output }, { joinMetrics, ledgerLink });
      service.then(
        ({ baseUrl }) => {
          output.flushSync();
          send({ keyfront: 'serving', baseUrl });
        },
        (error) => {
          if (!(error instanceof StartError)) logger.fatal({ err: error }, 'A worker failed to start');
          const reason = error instanceof Error ? error.message : String(error);
          send({ keyfront: 'failed', reason }, () => process.exit(1));
        },
      );
    }
  });
  send({ keyfront: 'listening' });
}

function send(message: FromWorker, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}

/** Only the primary process can collect the metrics of all workers, so a worker asks it for them. */
function joinMetrics(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([own]);
  // Its constructor adds the listener that sends the metrics of this process to the primary process.
  new AggregatorRegistry();
  let lastId = 0;
  return () => {
    const id = ++lastId;
    return new Promise((resolve) => {
      const receive = (message: ToWorker): void => {
        if (!isKeyfrontMessage(message) || message.keyfront !== 'metrics' || message.id !== id) return;
        process.off('message', receive);
        resolve(message.text);
      };
      process.on('message', receive);
      send({ keyfront: 'read metrics', id });
    });
  };
}

/** The primary process counts for the rate limits of all workers. */
const ledgerLink: LedgerLink = {
  send: (message) => {
    if (!process.connected) return false;
    send({ keyfront: 'count', message });
    return true;
  },
  onGrant: (listener) => {
    process.on('message', (message: ToWorker) => {
      if (isKeyfrontMessage(message) && message.keyfront === 'grant') listener(message.grant);
    });
  },
};
