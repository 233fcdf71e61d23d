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
  /** What the requests of the caller have cost, on a scale that all lanes share. */
  used: number;
  /** First in, first out. Short enough that `shift` is cheap. */
  readonly queue: QueuedRequest[];
  /** Whether the lane is in the list of lanes whose next request may be admitted. */
  isReady: boolean;
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
 * at most a given number of each caller. The others wait in one lane per caller. The lane that has used the least goes
 * first, so that a caller with a thousand waiting requests, or with expensive ones, delays another caller by one request.
 * Both the total and each lane are bounded.
 *
 * A lane begins where the last admitted one stands (start-time fair queueing): nobody saves up credit by being idle.
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
  /** The lanes whose next request may be admitted. Of those that have used the same, the first one is next. */
  readonly #ready: Lane[] = [];
  /** What the lane of the last admitted request had used. */
  #usedByLast = 0;
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
      this.#occupy(lane);
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
      this.#makeReady(lane);
    });
  }

  /** Does the work as soon as it is admitted, and releases its place. The work of all callers has its cost in one unit. */
  async run<Result>(
    caller: string,
    work: () => Promise<Result>,
    connection: ClientConnection = alwaysConnected,
    costOf: (result: Result) => number = () => 1,
  ): Promise<Result> {
    const waiting = this.admit(caller, connection);
    if (waiting) await waiting;
    let cost = 0;
    try {
      const result = await work();
      cost = costOf(result);
      return result;
    } finally {
      this.release(caller, cost);
    }
  }

  /** Ends an admitted request of the caller, and admits the next ones. */
  release(caller: string, cost = 1): void {
    const lane = this.#lanes.get(caller);
    if (!lane || lane.active === 0) throw new Error('A request was released that is not active');
    lane.active--;
    lane.used += cost;
    this.#active--;
    if (this.#queued > 0) {
      this.#makeReady(lane);
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
    const lane: Lane = { caller, active: 0, used: this.#usedByLast, queue: [], isReady: false };
    this.#lanes.set(caller, lane);
    return lane;
  }

  #removeIfIdle(lane: Lane): void {
    if (lane.active === 0 && lane.queue.length === 0) this.#lanes.delete(lane.caller);
  }

  #occupy(lane: Lane): void {
    lane.active++;
    this.#active++;
    if (lane.used > this.#usedByLast) this.#usedByLast = lane.used;
  }

  #makeReady(lane: Lane): void {
    if (lane.isReady || lane.queue.length === 0 || lane.active >= this.#maxConcurrentPerCaller) return;
    lane.isReady = true;
    this.#ready.push(lane);
  }

  /** Admits the next request of the lane that has used the least, until every place is taken. */
  #admitNext(): void {
    while (this.#active < this.#maxConcurrent) {
      const lane = this.#takeReady();
      if (!lane) return;
      const next = this.#takeConnected(lane);
      if (next) {
        this.#occupy(lane);
        next.admit();
      }
      this.#makeReady(lane);
      this.#removeIfIdle(lane);
    }
  }

  /** The ready lane that has used the least. There is at most one lane for each wallet, so looking at all of them is quick. */
  #takeReady(): Lane | undefined {
    let index = 0;
    for (let other = 1; other < this.#ready.length; other++) {
      if ((this.#ready[other]?.used ?? 0) < (this.#ready[index]?.used ?? 0)) index = other;
    }
    const [lane] = this.#ready.splice(index, 1);
    if (lane) lane.isReady = false;
    return lane;
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
