import { AggregatorRegistry, type Registry } from 'prom-client';
import { createLogger } from '../http/logging.ts';
import type { LedgerLink } from '../rate-limit/ledger-messages.ts';
import { StartError } from '../start-error.ts';
import { type RunningService, serve } from './serve.ts';
import { type FromWorker, isKeyfrontMessage, type ToWorker } from './worker-messages.ts';

/** One of several processes that serve the port. Does what the first process says, and ends with it. */
export function runWorker(): void {
  // Signals of the terminal reach every process of the group; the first process alone decides what they mean.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);

  let service: Promise<RunningService> | undefined;
  const end = async (): Promise<void> => {
    await service?.then((running) => running.close()).catch(() => undefined);
    process.exit(0);
  };
  process.on('disconnect', end);
  process.on('message', (message: ToWorker) => {
    if (!isKeyfrontMessage(message)) return;
    if (message.keyfront === 'close') void end();
    if (message.keyfront === 'serve') {
      const logger = createLogger(message.settings.config.logLevel);
      service = serve(message.settings, logger, { joinMetrics, ledgerLink });
      service.then(
        ({ baseUrl }) => tell({ keyfront: 'serving', baseUrl }),
        (error) => {
          if (!(error instanceof StartError)) logger.fatal({ err: error }, 'A worker could not start');
          const sentence = error instanceof Error ? error.message : String(error);
          tell({ keyfront: 'failed', sentence }, () => process.exit(1));
        },
      );
    }
  });
  tell({ keyfront: 'listening' });
}

function tell(message: FromWorker, then?: () => void): void {
  process.send?.(message, undefined, undefined, then);
}

/** Only the first process can collect the metrics of all workers: it is asked, and asks each of them. */
function joinMetrics(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([own]);
  // Answers the first process when it collects.
  new AggregatorRegistry();
  let lastId = 0;
  return () => {
    const id = ++lastId;
    return new Promise((resolve) => {
      const listen = (message: ToWorker): void => {
        if (!isKeyfrontMessage(message) || message.keyfront !== 'metrics' || message.id !== id) return;
        process.off('message', listen);
        resolve(message.text);
      };
      process.on('message', listen);
      tell({ keyfront: 'read metrics', id });
    });
  };
}

/** The first process counts for all workers. */
const ledgerLink: LedgerLink = {
  send: (message) => {
    if (!process.connected) return false;
    tell({ keyfront: 'count', message });
    return true;
  },
  onGrant: (listener) => {
    process.on('message', (message: ToWorker) => {
      if (isKeyfrontMessage(message) && message.keyfront === 'grant') listener(message.grant);
    });
  },
};
