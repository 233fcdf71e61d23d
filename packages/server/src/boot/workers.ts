import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '@keyfront/rate-limiter';
import { AggregatorRegistry } from 'prom-client';
import { StartError } from '../lib/errors/start-error.ts';
import { limits } from '../limits/rates/limits.ts';
import { relayOutput } from './relay-output.ts';
import { partsTimeoutMs, type RunningService } from './serve.ts';
import type { ServiceLog, ServiceSettings } from './service.ts';
import { type FromWorker, isKeyfrontMessage, type ToWorker } from './worker-messages.ts';

const minPauseMs = 100;
const maxPauseMs = 10_000;
/** The time that a worker has to close its parts after its last request, and to end. */
const closingMarginMs = partsTimeoutMs + 1_000;
/** The time that the last log lines of a worker have to arrive. */
const outputTimeoutMs = 500;

/** Serves one port with several worker processes. A worker that dies is replaced; one that cannot start fails the start. */
export async function serveWithWorkers(
  firstSettings: ServiceSettings,
  { logger, output }: ServiceLog,
): Promise<RunningService> {
  // Workers write to pipes. If they shared standard output, their lines would mix, and starting one would make it blocking.
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const metrics = new AggregatorRegistry();
  const ledger = new Ledger({ policies: limits });
  let settings = firstSettings;
  let isClosing = false;
  /** Workers that are to end, and are not replaced. */
  const retired = new WeakSet<Worker>();

  const startWorker = async (worker = cluster.fork()): Promise<string> => {
    const { stdout, stderr } = worker.process;
    if (stdout) relayOutput(stdout, output);
    stderr?.on('data', (chunk) => process.stderr.write(chunk));
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
    const baseUrl = await waitUntilServing(worker).catch((error) => {
      // It may take a while to end, and must not count as one that serves.
      retired.add(worker);
      throw error;
    });
    // Not before: a worker that cannot start is the caller's to replace. Replaced twice, workers would multiply.
    worker.once('exit', (code, signal) => {
      if (isClosing || retired.has(worker)) return;
      logger.error(`Worker ${worker.process.pid} ended unexpectedly (${signal ?? code}): starting another`);
      void fillUp();
    });
    return baseUrl;
  };

  const { workers: count, shutdownDelayMs, shutdownTimeoutMs } = settings.config;
  /** Starts workers until there are enough. Counts them: others may be starting at the same time, or be retired meanwhile. */
  const fillUp = async (): Promise<void> => {
    const isComplete = () => listWorkers().filter((worker) => !retired.has(worker)).length >= count;
    for (let pauseMs = minPauseMs; !isClosing && !isComplete(); pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        await startWorker();
      } catch (error) {
        logger.error(error instanceof Error ? error.message : String(error));
        await delay(pauseMs);
      }
    }
  };
  const retire = (workers: readonly Worker[], timeoutMs: number): Promise<void> => {
    for (const worker of workers) retired.add(worker);
    return closeWorkers(workers, timeoutMs + closingMarginMs, (pid) =>
      logger.error(`Worker ${pid} did not end in time: it was killed`),
    );
  };
  /** Starts all workers, or none. */
  const startWorkers = async (): Promise<string[]> => {
    const workers = Array.from({ length: count }, () => cluster.fork());
    try {
      return await Promise.all(workers.map((worker) => startWorker(worker)));
    } catch (error) {
      await retire(workers, shutdownTimeoutMs);
      throw error;
    }
  };

  const [baseUrl = ''] = await startWorkers();
  return {
    baseUrl,
    close: () => {
      isClosing = true;
      return retire(listWorkers(), shutdownDelayMs + shutdownTimeoutMs);
    },
    replaceWorkers: async (next) => {
      const former = { settings, workers: listWorkers() };
      settings = next;
      try {
        await startWorkers().catch((error) => {
          settings = former.settings;
          throw error;
        });
        await retire(former.workers, shutdownDelayMs + shutdownTimeoutMs);
      } finally {
        // One that ended meanwhile was not missed.
        void fillUp();
      }
    },
  };
}

const listWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => (worker && !worker.isDead() ? [worker] : []));

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

/** Tells workers to close and waits for them. Kills those that have not ended in time. */
async function closeWorkers(
  workers: readonly Worker[],
  timeoutMs: number,
  onKilled: (pid: number) => void,
): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      if (worker.isDead()) return;
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      // After the exit, when all output has been read.
      const closed = new Promise((resolve) => worker.process.once('close', resolve));
      const killTimer = setTimeout(() => {
        worker.process.kill('SIGKILL');
        onKilled(worker.process.pid ?? 0);
      }, timeoutMs);
      send(worker, { keyfront: 'close' });
      await exited;
      clearTimeout(killTimer);
      await Promise.race([closed, delay(outputTimeoutMs, undefined, { ref: false })]);
    }),
  );
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
