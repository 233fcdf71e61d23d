import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { Ledger } from '../rate-limit/ledger.ts';
import { StartError } from '../start-error.ts';
import type { RunningService } from './serve.ts';
import type { ServiceSettings } from './service.ts';
import { type FromWorker, isKeyfrontMessage, type ToWorker } from './worker-messages.ts';

const shortestPauseMs = 100;
const longestPauseMs = 10_000;

/** Serves one port with several worker processes. A worker that dies is replaced; one that cannot start fails the start. */
export async function serveWithWorkers(settings: ServiceSettings, logger: Logger): Promise<RunningService> {
  const metrics = new AggregatorRegistry();
  const ledger = new Ledger();
  let isClosing = false;

  const startWorker = (): Promise<string> => {
    const worker = cluster.fork();
    worker.on('message', (message: FromWorker) => {
      if (!isKeyfrontMessage(message)) return;
      if (message.keyfront === 'listening') {
        send(worker, isClosing ? { keyfront: 'close' } : { keyfront: 'serve', settings });
      }
      if (message.keyfront === 'count') {
        const grant = ledger.handleMessage(worker.id, message.message);
        if (grant) send(worker, { keyfront: 'grant', grant });
      }
      if (message.keyfront !== 'read metrics') return;
      // If a worker does not respond in time, the request for the metrics still gets a response: an empty one.
      const text = metrics.clusterMetrics().catch(() => '');
      void text.then((all) => send(worker, { keyfront: 'metrics', id: message.id, text: all }));
    });
    worker.once('exit', () => ledger.removeWorker(worker.id));
    return waitUntilServing(worker);
  };

  const replaceWorker = async (): Promise<void> => {
    for (let pauseMs = shortestPauseMs; !isClosing; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await startWorker();
        return;
      } catch (error) {
        logger.error(error instanceof Error ? error.message : String(error));
        await delay(pauseMs);
      }
    }
  };

  const baseUrls = await Promise.all(Array.from({ length: settings.config.workers }, startWorker)).catch(
    async (error) => {
      isClosing = true;
      await closeWorkers();
      throw error;
    },
  );
  cluster.on('exit', (worker, code, signal) => {
    if (isClosing) return;
    logger.error(
      `Worker ${worker.process.pid} ended unexpectedly (${signal ?? `exit code ${code}`}): starting another`,
    );
    void replaceWorker();
  });
  return {
    baseUrl: baseUrls[0] ?? '',
    close: () => {
      isClosing = true;
      return closeWorkers();
    },
  };
}

/** Returns the base address of the worker once it serves. */
function waitUntilServing(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (!isKeyfrontMessage(message)) return;
      if (message.keyfront === 'serving') resolve(message.baseUrl);
      if (message.keyfront === 'failed') reject(new StartError(message.reason));
    });
    worker.once('exit', () =>
      reject(new StartError('A worker ended before it could serve: see the log above.')),
    );
  });
}

async function closeWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map((worker) => {
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      send(worker, { keyfront: 'close' });
      return exited;
    }),
  );
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
