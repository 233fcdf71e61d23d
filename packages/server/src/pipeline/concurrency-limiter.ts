import { ApiError } from '../api-error.ts';
import { type ClientConnection, ClientDisconnected } from '../database/client-connection.ts';

export interface ConcurrencyLimiterOptions {
  /** The name of the limit in `RateLimit-Policy`. */
  readonly name: string;
  /** How many requests are handled at a time. */
  readonly maxConcurrent: number;
  /** How many requests of one caller are handled at a time. The default is `maxConcurrent`. */
  readonly maxConcurrentPerCaller?: number;
  /** How many requests may wait. */
  readonly maxQueued?: number;
  /** How many requests of one caller may wait. The default is `maxQueued`. */
  readonly maxQueuedPerCaller?: number;
  /** How long a request waits before it is rejected. */
  readonly queueTimeoutMs?: number;
  /** How long a rejection is delayed when a queue is full. */
  readonly rejectionDelayMs?: number;
  readonly now?: () => number;
}

interface QueuedRequest {
  readonly connection: ClientConnection;
  readonly since: number;
  readonly admit: () => void;
  readonly reject: (error: Error) => void;
}

/** The requests of one caller. It exists only while the caller has any. */
interface Lane {
  readonly caller: string;
  active: number;
  /** First in, first out. Short enough that `shift` is cheap. */
  readonly queue: QueuedRequest[];
  /** Whether the lane is in the list of lanes that take turns. */
  takesTurns: boolean;
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
const alwaysConnected: ClientConnection = { isClosed: false, onClose: () => () => undefined };

/**
 * A queue in front of a scarce resource, fair between callers. It admits as many requests as keep the resource busy, and
 * at most a given number of each caller. The others wait in one lane per caller, and the lanes take turns, so that a
 * caller with a thousand waiting requests delays another caller by one request. Both the total and each lane are bounded.
 *
 * Invariant: while fewer than `maxConcurrent` requests are active, every lane with waiting requests is at its own limit.
 */
export class ConcurrencyLimiter {
  readonly #maxConcurrent: number;
  readonly #maxConcurrentPerCaller: number;
  readonly #maxQueued: number;
  readonly #maxQueuedPerCaller: number;
  readonly #queueTimeoutMs: number;
  readonly #rejectionDelayMs: number;
  readonly #now: () => number;
  readonly #callerLimited: ApiError;
  readonly #lanes = new Map<string, Lane>();
  /** The lanes whose next request may be admitted, in the order of their turns. */
  readonly #turns: Lane[] = [];
  #active = 0;
  #queued = 0;
  #timeoutCheck: NodeJS.Timeout | null = null;

  constructor(options: ConcurrencyLimiterOptions) {
    this.#maxConcurrent = options.maxConcurrent;
    this.#maxConcurrentPerCaller = options.maxConcurrentPerCaller ?? options.maxConcurrent;
    this.#maxQueued = options.maxQueued ?? defaultMaxQueued;
    this.#maxQueuedPerCaller = options.maxQueuedPerCaller ?? this.#maxQueued;
    this.#queueTimeoutMs = options.queueTimeoutMs ?? defaultQueueTimeoutMs;
    this.#rejectionDelayMs = options.rejectionDelayMs ?? defaultRejectionDelayMs;
    this.#now = options.now ?? (() => performance.now());
    this.#callerLimited = createCallerLimited(options.name, this.#maxConcurrentPerCaller);
  }

  /** How many requests wait. */
  get queued(): number {
    return this.#queued;
  }

  /** How many requests are being handled. */
  get active(): number {
    return this.#active;
  }

  /**
   * Admits a request, which must call `release` when it is done. Returns undefined if it is admitted at once, else a
   * promise that rejects when a queue is full or the wait takes too long.
   */
  admit(caller: string, connection: ClientConnection): Promise<void> | undefined {
    const lane = this.#lanes.get(caller) ?? this.#addLane(caller);
    if (this.#active < this.#maxConcurrent && lane.active < this.#maxConcurrentPerCaller) {
      lane.active++;
      this.#active++;
      return undefined;
    }
    if (lane.queue.length >= this.#maxQueuedPerCaller) return this.#rejectLater(this.#callerLimited);
    if (this.#queued >= this.#maxQueued && !this.#makeRoomFor(lane)) {
      this.#removeIfIdle(lane);
      return this.#rejectLater(overloaded);
    }
    this.#timeoutCheck ??= setInterval(() => this.rejectTimedOut(), timeoutCheckIntervalMs).unref();
    return new Promise((admit, reject) => {
      lane.queue.push({ connection, since: this.#now(), admit, reject });
      this.#queued++;
      this.#joinTurns(lane);
    });
  }

  /** Does the work as soon as it is admitted, and releases its place. */
  async run<Result>(
    caller: string,
    work: () => Promise<Result>,
    connection: ClientConnection = alwaysConnected,
  ): Promise<Result> {
    const waiting = this.admit(caller, connection);
    if (waiting) await waiting;
    try {
      return await work();
    } finally {
      this.release(caller);
    }
  }

  /** Ends an admitted request of the caller, and admits the next ones. */
  release(caller: string): void {
    const lane = this.#lanes.get(caller);
    if (!lane || lane.active === 0) throw new Error('A request was released that is not active');
    lane.active--;
    this.#active--;
    if (this.#queued > 0) {
      this.#joinTurns(lane);
      this.#admitNext();
    }
    this.#removeIfIdle(lane);
  }

  /** Rejects requests that have waited longer than the queue timeout. */
  rejectTimedOut(): void {
    const latest = this.#now() - this.#queueTimeoutMs;
    for (const lane of this.#lanes.values()) {
      // Whoever uses all places of their own is not told that the service is overloaded.
      const error = lane.active >= this.#maxConcurrentPerCaller ? this.#callerLimited : overloaded;
      while (lane.queue[0] && lane.queue[0].since <= latest) this.#shift(lane)?.reject(error);
      this.#removeIfIdle(lane);
    }
  }

  #addLane(caller: string): Lane {
    const lane: Lane = { caller, active: 0, queue: [], takesTurns: false };
    this.#lanes.set(caller, lane);
    return lane;
  }

  #removeIfIdle(lane: Lane): void {
    if (lane.active === 0 && lane.queue.length === 0) this.#lanes.delete(lane.caller);
  }

  #joinTurns(lane: Lane): void {
    if (lane.takesTurns || lane.queue.length === 0 || lane.active >= this.#maxConcurrentPerCaller) return;
    lane.takesTurns = true;
    this.#turns.push(lane);
  }

  /** Admits one request of each lane in turn until every place is taken. */
  #admitNext(): void {
    while (this.#active < this.#maxConcurrent) {
      const lane = this.#turns.shift();
      if (!lane) return;
      lane.takesTurns = false;
      const next = this.#takeConnected(lane);
      if (next) {
        lane.active++;
        this.#active++;
        next.admit();
      }
      this.#joinTurns(lane);
      this.#removeIfIdle(lane);
    }
  }

  /** The next request of the lane whose client is still connected. */
  #takeConnected(lane: Lane): QueuedRequest | undefined {
    for (let next = this.#shift(lane); next; next = this.#shift(lane)) {
      if (!next.connection.isClosed) return next;
      next.reject(disconnected);
    }
    return undefined;
  }

  #shift(lane: Lane): QueuedRequest | undefined {
    const first = lane.queue.shift();
    if (first) this.#countLeaving();
    return first;
  }

  #countLeaving(): void {
    this.#queued--;
    if (this.#queued === 0 && this.#timeoutCheck) {
      clearInterval(this.#timeoutCheck);
      this.#timeoutCheck = null;
    }
  }

  /** Rejects the latest request of the longest lane for one of a shorter lane. Returns false if there is none to reject. */
  #makeRoomFor(lane: Lane): boolean {
    let longest = lane;
    for (const other of this.#lanes.values()) {
      if (other.queue.length > longest.queue.length) longest = other;
    }
    // A difference of one would only exchange the two.
    if (longest.queue.length <= lane.queue.length + 1) return false;
    const last = longest.queue.pop();
    if (last) {
      this.#countLeaving();
      setTimeout(last.reject, this.#rejectionDelayMs, overloaded).unref();
    }
    return true;
  }

  #rejectLater(error: ApiError): Promise<void> {
    return new Promise((_admit, reject) => {
      setTimeout(reject, this.#rejectionDelayMs, error).unref();
    });
  }
}

/** draft-ietf-httpapi-ratelimit-headers: the unit of the quota is concurrent requests, so there is no window. */
function createCallerLimited(name: string, quota: number): ApiError {
  return new ApiError('CONCURRENCY_LIMITED', {
    headers: {
      'retry-after': '1',
      'ratelimit-policy': `"${name}";q=${quota};qu="concurrent-requests"`,
      ratelimit: `"${name}";r=0;t=1`,
    },
  });
}
