import { EventEmitter, setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openSessionPool } from '@keyfront/postgres';
import { createSender, type EndpointRules } from '@keyfront/webhook-sender';
import type { Runner, Task, WorkerEvents, WorkerPool } from 'graphile-worker';
import type { Logger } from 'pino';
import { queuePoolSize, queueSchema } from '../../../database/connection/queue-settings.ts';
import { adminRole } from '../../../database/connection/role-names.ts';
import {
  forgetWorker,
  heartbeatMs,
  keepWorkerAlive,
  type QueueWorker,
} from '../../../database/coordination/queue-workers.ts';
import type { Database } from '../../../database/database.ts';
import type { DataCipher } from '../../../lib/encryption/data-cipher.ts';
import type { DescribeEvents } from '../../events/describe-events.ts';
import { type AttemptOutcome, deliverEvents } from './deliver-events.ts';
import { type DeliveryPayload, postponeDeliveries, releaseRetries, retryFlag } from './delivery-queries.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { readDispatchState } from './dispatch-queries.ts';
import { type DeliveryLimits, defaultDeliveryLimits, OpenRequests } from './open-requests.ts';

/** How often a worker looks for what there is to do. */
export interface DeliveryTiming {
  /** How often the log of events is read while there are webhooks. */
  readonly dispatchMs: number;
  /** How often one batch of it is read while requests of holders have to wait. */
  readonly busyDispatchMs: number;
  /** How often a worker looks whether there are webhooks, while there are none. */
  readonly idleMs: number;
  /** How often two tasks look for attempts that have become due. New ones are announced. */
  readonly dueMs: number;
  /** How often every task looks for itself. */
  readonly pollMs: number;
  readonly deadlineMs?: number;
}

const defaultTiming: DeliveryTiming = {
  dispatchMs: 250,
  busyDispatchMs: 1_000,
  idleMs: 2_000,
  dueMs: 1_000,
  pollMs: 60_000,
};
const longestPauseMs = 5_000;
/** How long a job waits that found too many others of its webhook or holder. */
const postponeMs = 200;

export interface DeliveryWorkerDependencies {
  readonly database: Database;
  /** Leads to PostgreSQL itself, not to a pooler. */
  readonly url: string;
  readonly cipher: DataCipher;
  readonly describe: DescribeEvents;
  readonly endpoints: EndpointRules;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  readonly onAttempt?: (outcome: AttemptOutcome) => void;
  readonly limits?: DeliveryLimits;
  readonly timing?: Partial<DeliveryTiming>;
}

/** A runner of the work queue. */
interface RunningQueue {
  readonly worker: QueueWorker;
  /** Whether it has ended by itself, which only a lost database causes. */
  readonly hasEnded: boolean;
  /** Lets some idle tasks look for jobs. */
  nudge(): void;
  stop(): Promise<void>;
}

/**
 * Sends events to webhooks: follows the log of events, and runs the jobs of the work queue. Any number of processes do this together.
 * The work queue is started when there is the first webhook.
 */
export class DeliveryWorker {
  readonly #dependencies: DeliveryWorkerDependencies;
  readonly #timing: DeliveryTiming;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: DeliveryWorkerDependencies) {
    this.#dependencies = dependencies;
    this.#timing = { ...defaultTiming, ...dependencies.timing };
    // Each open request listens.
    setMaxListeners(0, this.#stopping.signal);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Stops. Requests that are open are given up, and made again by another process or after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, logger } = this.#dependencies;
    const { signal } = this.#stopping;
    const { dispatchMs, busyDispatchMs, idleMs, dueMs } = this.#timing;
    let queue: RunningQueue | null = null;
    let beatAt = 0;
    let nudgedAt = 0;
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs = idleMs;
      try {
        const { hasWebhooks, hasWork } = await readDispatchState(database);
        if (queue?.hasEnded) {
          await queue.stop();
          queue = null;
        }
        if (hasWebhooks) {
          queue ??= await this.#startQueue();
          pauseMs = database.hasWaitingRequests ? busyDispatchMs : dispatchMs;
        }
        if (queue && performance.now() - nudgedAt >= dueMs) {
          nudgedAt = performance.now();
          queue.nudge();
        }
        if (queue && performance.now() - beatAt >= heartbeatMs) {
          beatAt = performance.now();
          const { deadWorkers, forgottenJobs } = await keepWorkerAlive(database, queue.worker);
          if (deadWorkers.length > 0)
            logger.warn({ workers: deadWorkers }, 'Deliveries of processes that have died are made again');
          if (forgottenJobs.length > 0)
            logger.warn({ jobs: forgottenJobs }, 'Deliveries whose connection was lost are made again');
        }
        if (hasWork)
          while (!signal.aborted && (await dispatchBatch(database)) && !database.hasWaitingRequests);
        failures = 0;
      } catch (error) {
        if (failures === 0)
          logger.warn({ err: error }, 'Events could not be dispatched to webhooks: retrying');
        failures += 1;
        pauseMs = Math.min(dispatchMs * 2 ** failures, longestPauseMs);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    await queue?.stop();
  }

  async #startQueue(): Promise<RunningQueue> {
    const { database, url, logger, limits = defaultDeliveryLimits } = this.#dependencies;
    // Loaded only where there are webhooks: it is large.
    const { Logger: QueueLogger, run } = await import('graphile-worker');
    const requests = new OpenRequests(limits);
    const pool = openSessionPool({
      url,
      role: adminRole,
      size: queuePoolSize,
      durable: false,
      onIdleError: (error) => logger.debug({ err: error }, 'An idle connection of the work queue was lost'),
    });
    let workerPool: WorkerPool | undefined;
    const events = new EventEmitter() as WorkerEvents;
    events.on('pool:create', (created) => {
      workerPool = created.workerPool;
    });
    const jobIds = new Set<string>();
    events.on('job:start', ({ job }) => jobIds.add(job.id));
    events.on('job:complete', ({ job }) => jobIds.delete(job.id));
    let runner: Runner;
    try {
      runner = await run({
        pgPool: pool,
        schema: queueSchema,
        concurrency: limits.total,
        pollInterval: this.#timing.pollMs,
        noHandleSignals: true,
        // The clock of this process also decides when the next attempt comes.
        useNodeTime: true,
        events,
        logger: new QueueLogger(() => (level, message) => {
          if (level === 'error') logger.warn({ problem: message }, 'The work queue reports a problem');
        }),
        forbiddenFlags: () => requests.forbiddenFlags,
        taskList: { deliver: this.#createTask(requests, limits.perWebhook) },
      });
    } catch (error) {
      await pool.end();
      throw error;
    }
    let hasEnded = false;
    runner.promise
      .catch((error) => logger.warn({ err: error }, 'The work queue has ended: starting it again'))
      .finally(() => {
        hasEnded = true;
      });
    const worker = { id: workerPool?.id ?? '', jobIds };
    return {
      worker,
      get hasEnded() {
        return hasEnded;
      },
      nudge: () => workerPool?.nudge(2),
      stop: async () => {
        await runner.stop().catch(() => undefined);
        await pool.end();
        await forgetWorker(database, worker.id).catch(() => undefined);
      },
    };
  }

  #createTask(requests: OpenRequests, parallelRequests: number): Task {
    const { database, cipher, describe, endpoints, onAttempt } = this.#dependencies;
    const { deadlineMs } = this.#timing;
    const send = createSender({ endpoints, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
    const dependencies = {
      database,
      cipher,
      describe,
      send,
      parallelRequests,
      ...(onAttempt && { onAttempt }),
    };
    return async (payload, { job }) => {
      const work = payload as DeliveryPayload;
      const isRetry = job.flags?.[retryFlag] === true;
      const end = requests.begin(work, Math.min(work.attempts.length, parallelRequests), isRetry);
      if (!end) {
        // Several tasks have taken jobs of one webhook at the same moment, or its last job has failed since.
        const runAt = new Date(Date.now() + postponeMs);
        return postponeDeliveries(database, { ...work, isRetry: !requests.isProven(work.webhookId), runAt });
      }
      try {
        const rest = await deliverEvents(work, this.#stopping.signal, dependencies);
        if (requests.recordOutcome(work.webhookId, !rest.failedOrSlow)) await releaseRetries(database, work);
        if (rest.attempts.length > 0)
          await postponeDeliveries(database, {
            ...work,
            attempts: rest.attempts,
            isRetry: rest.failedOrSlow,
            runAt: new Date(),
          });
      } finally {
        end();
      }
    };
  }
}
