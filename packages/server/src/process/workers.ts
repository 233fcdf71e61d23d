import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { Ledger } from '../rate-limit/ledger.ts';
import { StartError } from '../start-error.ts';
import type { RunningService, ServeSettings } from './serve.ts';
import { type FromWorker, isKeyfrontMessage, type ToWorker } from './worker-messages.ts';

const longestPauseMs = 10_000;

/** Serves with several processes on one port. A worker that dies is replaced; one that cannot start ends the start. */
export async function serveWithWorkers(
  settings: ServeSettings,
  alarm: (sentence: string) => void,
): Promise<RunningService> {
  const metrics = new AggregatorRegistry();
  const ledger = new Ledger();
  let closing = false;

  const startWorker = (): Promise<string> => {
    const worker = cluster.fork();
    worker.on('message', (message: FromWorker) => {
      if (!isKeyfrontMessage(message)) return;
      if (message.keyfront === 'listening') {
        tell(worker, closing ? { keyfront: 'close' } : { keyfront: 'serve', settings });
      }
      if (message.keyfront === 'count') {
        const grant = ledger.handleMessage(worker.id, message.message);
        if (grant) tell(worker, { keyfront: 'grant', grant });
      }
      if (message.keyfront !== 'read metrics') return;
      // A worker that is slow to answer must not leave the caller without one.
      const text = metrics.clusterMetrics().catch(() => '');
      void text.then((all) => tell(worker, { keyfront: 'metrics', id: message.id, text: all }));
    });
    worker.once('exit', () => ledger.removeWorker(worker.id));
    return whenServing(worker);
  };

  const replace = async (): Promise<void> => {
    for (let pauseMs = 100; !closing; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await startWorker();
        return;
      } catch (error) {
        alarm(error instanceof Error ? error.message : String(error));
        await delay(pauseMs);
      }
    }
  };

  const baseUrls = await Promise.all(Array.from({ length: settings.config.workers }, startWorker)).catch(
    async (error) => {
      closing = true;
      await closeWorkers();
      throw error;
    },
  );
  cluster.on('exit', (worker, code, signal) => {
    if (closing) return;
    alarm(
      `The worker ${worker.process.pid} ended by itself (${signal ?? `exit code ${code}`}): another takes its place.`,
    );
    void replace();
  });
  return {
    baseUrl: baseUrls[0] ?? '',
    close: () => {
      closing = true;
      return closeWorkers();
    },
  };
}

/** The base address, once the worker serves. */
function whenServing(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (!isKeyfrontMessage(message)) return;
      if (message.keyfront === 'serving') resolve(message.baseUrl);
      if (message.keyfront === 'failed') reject(new StartError(message.sentence));
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
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      tell(worker, { keyfront: 'close' });
      return gone;
    }),
  );
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
