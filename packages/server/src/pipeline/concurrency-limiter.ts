import { ApiError } from '../api-error.ts';
import { type ClientConnection, ClientDisconnected } from '../database/client-connection.ts';

interface ConcurrencyLimiterOptions {
  /** How many requests are handled at a time. */
  readonly maxConcurrent: number;
  /** How many requests may wait. */
  readonly maxQueued?: number;
  /** How long a request waits before it is rejected. */
  readonly queueTimeoutMs?: number;
  /** How long the rejection is delayed when the queue is full. */
  readonly rejectionDelayMs?: number;
  readonly now?: () => number;
}

interface QueuedRequest {
  readonly connection: ClientConnection;
  readonly since: number;
  readonly admit: () => void;
  readonly reject: (error: Error) => void;
}

const defaultMaxQueued = 1_000;
const defaultQueueTimeoutMs = 5_000;
// Most rejected clients retry at once. An immediate rejection would let them take processor time from those who are
// being served.
const defaultRejectionDelayMs = 1_000;
const timeoutCheckIntervalMs = 50;

// Created once: an overloaded service throws them thousands of times a second.
const overloaded = new ApiError('OVERLOADED', { headers: { 'retry-after': '1' } });
const disconnected = new ClientDisconnected();

/**
 * The queue in front of the database. It admits as many requests as keep the database busy. The others wait before any
 * work is done for them, not even signature verification, and are rejected after the queue timeout.
 */
export class ConcurrencyLimiter {
  readonly #maxConcurrent: number;
  readonly #maxQueued: number;
  readonly #queueTimeoutMs: number;
  readonly #rejectionDelayMs: number;
  readonly #now: () => number;
  #active = 0;
  /** First in, first out. Short enough that `shift` is cheap. */
  readonly #queue: QueuedRequest[] = [];
  #timeoutCheck: NodeJS.Timeout | null = null;

  constructor(options: ConcurrencyLimiterOptions) {
    this.#maxConcurrent = options.maxConcurrent;
    this.#maxQueued = options.maxQueued ?? defaultMaxQueued;
    this.#queueTimeoutMs = options.queueTimeoutMs ?? defaultQueueTimeoutMs;
    this.#rejectionDelayMs = options.rejectionDelayMs ?? defaultRejectionDelayMs;
    this.#now = options.now ?? (() => performance.now());
  }

  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Admits a request, which must call `release` when it is done. Returns undefined if it is admitted at once, else a
   * promise that rejects when the queue is full or the wait takes too long.
   */
  admit(connection: ClientConnection): Promise<void> | undefined {
    if (this.#active < this.#maxConcurrent) {
      this.#active++;
      return undefined;
    }
    if (this.queued >= this.#maxQueued) return this.#rejectLater();
    this.#timeoutCheck ??= setInterval(() => this.rejectTimedOut(), timeoutCheckIntervalMs).unref();
    return new Promise((admit, reject) => {
      this.#queue.push({ connection, since: this.#now(), admit, reject });
    });
  }

  release(): void {
    const next = this.#takeNext();
    if (next) next.admit();
    else this.#active--;
  }

  /** Rejects requests that have waited longer than the queue timeout. */
  rejectTimedOut(): void {
    const latest = this.#now() - this.#queueTimeoutMs;
    while (this.#queue[0] && this.#queue[0].since <= latest) this.#shift()?.reject(overloaded);
  }

  #rejectLater(): Promise<void> {
    return new Promise((_admit, reject) => {
      setTimeout(reject, this.#rejectionDelayMs, overloaded).unref();
    });
  }

  /** The next request whose client is still connected. */
  #takeNext(): QueuedRequest | undefined {
    for (let next = this.#shift(); next; next = this.#shift()) {
      if (!next.connection.isClosed) return next;
      next.reject(disconnected);
    }
    return undefined;
  }

  #shift(): QueuedRequest | undefined {
    const first = this.#queue.shift();
    if (this.#queue.length === 0 && this.#timeoutCheck) {
      clearInterval(this.#timeoutCheck);
      this.#timeoutCheck = null;
    }
    return first;
  }
}
