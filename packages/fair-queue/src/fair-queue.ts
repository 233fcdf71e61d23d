export interface FairQueueOptions {
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
  /** How long a rejection is delayed on average when a queue is full. */
  readonly rejectionDelayMs?: number;
  readonly now?: () => number;
}

/** The errors of requests that are not admitted. */
interface Rejections {
  readonly overloaded: Error;
  /** The caller has as many requests as one caller may have. */
  readonly callerLimited: Error;
  /** Nobody waits for the request any more. */
  readonly disconnected: Error;
}

/** Who waits for a request. */
export interface WaitingClient {
  readonly isClosed: boolean;
}

/** The place of an admitted request. The request must release it when it is done. */
export interface Place {
  /** Frees the place for the next request. Calls after the first one have no effect. */
  release(cost?: number): void;
  /** Says whether the client has stopped reading. A request that would wait for such places only is rejected instead. */
  setStalled(isStalled: boolean): void;
}

interface QueuedRequest {
  readonly client: WaitingClient;
  readonly since: number;
  readonly admit: (place: Place) => void;
  readonly reject: (error: Error) => void;
}

/** The requests of one caller. It exists only while the caller has any. */
interface Lane {
  readonly caller: string;
  active: number;
  /** How many of the active ones have a client that has stopped reading. */
  stalled: number;
  /** What the requests of the caller have cost, on a scale that all lanes share. */
  used: number;
  /** First in, first out. Short enough that `shift` is cheap. */
  readonly queue: QueuedRequest[];
}

const defaultMaxQueued = 1_000;
const defaultQueueTimeoutMs = 5_000;
// Most rejected clients retry at once. An immediate rejection would let them take processor time from those who are
// being served.
const defaultRejectionDelayMs = 1_000;
/** The fractions of its multiples are spread evenly between 0 and 1, however many there are. */
const goldenRatio = 0.618_034;
const timeoutCheckIntervalMs = 50;
/** What the cheapest work costs. Never 0: work that cost nothing would always go first. */
const minCost = 1;
const alwaysConnected: WaitingClient = { isClosed: false };

/**
 * A queue in front of a scarce resource, fair between callers. It admits as many requests as keep the resource busy, and
 * at most a given number of each caller. The others wait in one lane per caller. The lane that has used the least goes
 * first, so that a caller with a thousand waiting requests, or with expensive ones, delays another caller by one request.
 * Both the total and each lane are bounded.
 *
 * This is start-time fair queueing: a new lane begins at the virtual time, so nobody saves up credit by being idle.
 * Virtual time also advances with the work that is done, divided by the callers: a stream of new callers, each of which
 * begins there, overtakes a waiting one for a bounded time only.
 *
 * Invariant: while fewer than `maxConcurrent` requests are active, every lane with waiting requests is at its own limit.
 */
export class FairQueue {
  readonly #maxConcurrent: number;
  readonly #maxConcurrentPerCaller: number;
  readonly #maxQueued: number;
  readonly #maxQueuedPerCaller: number;
  readonly #queueTimeoutMs: number;
  readonly #rejectionDelayMs: number;
  readonly #now: () => number;
  readonly #rejections: Rejections;
  /** By caller. A lane moves to the end when one of its waiting requests is admitted. */
  readonly #lanes = new Map<string, Lane>();
  #virtualTime = 0;
  #active = 0;
  #queued = 0;
  #rejected = 0;
  #timeoutCheck: NodeJS.Timeout | null = null;

  constructor(options: FairQueueOptions, rejections: Rejections) {
    this.#maxConcurrent = options.maxConcurrent;
    this.#maxConcurrentPerCaller = options.maxConcurrentPerCaller ?? options.maxConcurrent;
    this.#maxQueued = options.maxQueued ?? defaultMaxQueued;
    this.#maxQueuedPerCaller = options.maxQueuedPerCaller ?? this.#maxQueued;
    this.#queueTimeoutMs = options.queueTimeoutMs ?? defaultQueueTimeoutMs;
    this.#rejectionDelayMs = options.rejectionDelayMs ?? defaultRejectionDelayMs;
    this.#now = options.now ?? (() => performance.now());
    this.#rejections = rejections;
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
   * Admits a request. Returns its place if there is one, else a promise of it, which rejects when a queue is full or the
   * wait takes too long.
   */
  admit(caller: string, client: WaitingClient): Place | Promise<Place> {
    const lane = this.#lanes.get(caller) ?? this.#addLane(caller);
    if (this.#active < this.#maxConcurrent && lane.active < this.#maxConcurrentPerCaller) {
      return this.#occupy(lane);
    }
    const rejection = this.#findRejection(lane);
    if (rejection) {
      this.#removeIfIdle(lane);
      return new Promise((_admit, reject) => this.#rejectLater(reject, rejection));
    }
    this.#timeoutCheck ??= setInterval(() => this.rejectTimedOut(), timeoutCheckIntervalMs).unref();
    return new Promise((admit, reject) => {
      lane.queue.push({ client, since: this.#now(), admit, reject });
      this.#queued++;
    });
  }

  /** Does the work as soon as it is admitted, and releases its place. Work that fails costs as much as the cheapest. */
  async run<Result>(
    caller: string,
    work: () => Promise<Result>,
    client: WaitingClient = alwaysConnected,
    costOf: (result: Result) => number = () => minCost,
  ): Promise<Result> {
    const admission = this.admit(caller, client);
    const place = admission instanceof Promise ? await admission : admission;
    let cost = minCost;
    try {
      const result = await work();
      cost = costOf(result);
      return result;
    } finally {
      place.release(cost);
    }
  }

  /** Rejects requests that have waited longer than the queue timeout. */
  rejectTimedOut(): void {
    const latest = this.#now() - this.#queueTimeoutMs;
    for (const lane of this.#lanes.values()) {
      // Whoever uses all places of their own is not told that the service is overloaded.
      const error = this.#isAtOwnLimit(lane) ? this.#rejections.callerLimited : this.#rejections.overloaded;
      while (lane.queue[0] && lane.queue[0].since <= latest) this.#shift(lane)?.reject(error);
      this.#removeIfIdle(lane);
    }
  }

  #addLane(caller: string): Lane {
    const lane: Lane = { caller, active: 0, stalled: 0, used: this.#virtualTime, queue: [] };
    this.#lanes.set(caller, lane);
    return lane;
  }

  #removeIfIdle(lane: Lane): void {
    if (lane.active === 0 && lane.queue.length === 0) this.#lanes.delete(lane.caller);
  }

  #isAtOwnLimit({ active }: Lane): boolean {
    return active >= this.#maxConcurrentPerCaller;
  }

  #occupy(lane: Lane): Place {
    lane.active++;
    this.#active++;
    this.#virtualTime = Math.max(this.#virtualTime, lane.used);
    let isReleased = false;
    let wasStalled = false;
    const setStalled = (isStalled: boolean) => {
      if (isReleased || isStalled === wasStalled) return;
      wasStalled = isStalled;
      lane.stalled += isStalled ? 1 : -1;
    };
    const release = (cost = minCost) => {
      if (isReleased) return;
      setStalled(false);
      isReleased = true;
      this.#vacate(lane, cost);
    };
    return { release, setStalled };
  }

  #vacate(lane: Lane, cost: number): void {
    lane.active--;
    lane.used += cost;
    this.#active--;
    this.#virtualTime += cost / this.#lanes.size;
    if (this.#queued > 0) this.#admitNext();
    this.#removeIfIdle(lane);
  }

  /** Admits the next request of the lane that has used the least, until every place is taken. */
  #admitNext(): void {
    while (this.#active < this.#maxConcurrent) {
      const lane = this.#findNextLane();
      if (!lane) return;
      // To the end: lanes that have used the same take turns.
      this.#lanes.delete(lane.caller);
      this.#lanes.set(lane.caller, lane);
      const next = this.#shiftConnected(lane);
      if (next) next.admit(this.#occupy(lane));
      this.#removeIfIdle(lane);
    }
  }

  /** Of the lanes whose next request may be admitted, the one that has used the least. They are few enough to look at all. */
  #findNextLane(): Lane | undefined {
    let next: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.queue.length === 0 || this.#isAtOwnLimit(lane)) continue;
      if (!next || lane.used < next.used) next = lane;
    }
    return next;
  }

  /** Takes the next request of the lane whose client is still connected. */
  #shiftConnected(lane: Lane): QueuedRequest | undefined {
    for (let next = this.#shift(lane); next; next = this.#shift(lane)) {
      if (!next.client.isClosed) return next;
      next.reject(this.#rejections.disconnected);
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

  /** Why a request cannot wait; null if it can. */
  #findRejection(lane: Lane): Error | null {
    if (lane.queue.length >= this.#maxQueuedPerCaller) return this.#rejections.callerLimited;
    if (lane.stalled >= this.#maxConcurrentPerCaller) return this.#rejections.callerLimited;
    return this.#queued < this.#maxQueued || this.#makeRoomFor(lane) ? null : this.#rejections.overloaded;
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
      this.#rejectLater(last.reject, this.#rejections.overloaded);
    }
    return true;
  }

  /** Rejections are spread over time: callers that come together and retry at once would return together for ever. */
  #rejectLater(reject: QueuedRequest['reject'], error: Error): void {
    this.#rejected++;
    const factor = 0.5 + ((this.#rejected * goldenRatio) % 1);
    setTimeout(reject, this.#rejectionDelayMs * factor, error).unref();
  }
}
