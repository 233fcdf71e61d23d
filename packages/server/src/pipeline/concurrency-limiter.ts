import { ApiError } from '../api-error.ts';
import { type ClientConnection, ClientDisconnected } from '../database/client-connection.ts';

interface AdmissionOptions {
  /** How many requests are worked on at a time. */
  readonly mostAtOnce: number;
  /** How many wait for their turn. */
  readonly mostWaiting?: number;
  /** How long one waits for its turn before it is refused. */
  readonly patienceMs?: number;
  /** How long one that finds the queue full waits for its refusal. */
  readonly pauseMs?: number;
  readonly now?: () => number;
}

interface Waiting {
  readonly presence: ClientConnection;
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const defaultMostWaiting = 1_000;
const defaultPatienceMs = 5_000;
// Most who are refused come right back. Were they told at once, they would be refused again and again, in the time of
// those who are served.
const defaultPauseMs = 1_000;
const lookEveryMs = 50;

// Made once: under overload they are thrown thousands of times a second.
const overloaded = new ApiError('OVERLOADED', { headers: { 'retry-after': '1' } });
const gone = new ClientDisconnected();

/**
 * The queue before all that asks the database. No more requests are begun than keep it busy; the others wait where they
 * cost nothing yet, not even the arithmetic of their signature, and are refused while somebody still waits for them.
 */
export class ConcurrencyLimiter {
  readonly #mostAtOnce: number;
  readonly #mostWaiting: number;
  readonly #patienceMs: number;
  readonly #pauseMs: number;
  readonly #now: () => number;
  #inside = 0;
  /** In the order of their coming. So few that to move them up costs nothing. */
  readonly #queue: Waiting[] = [];
  #watch: NodeJS.Timeout | null = null;

  constructor(options: AdmissionOptions) {
    this.#mostAtOnce = options.mostAtOnce;
    this.#mostWaiting = options.mostWaiting ?? defaultMostWaiting;
    this.#patienceMs = options.patienceMs ?? defaultPatienceMs;
    this.#pauseMs = options.pauseMs ?? defaultPauseMs;
    this.#now = options.now ?? (() => performance.now());
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Whoever enters must leave. A promise is given only where there is a queue, and is broken to whom is refused. */
  enter(presence: ClientConnection): Promise<void> | undefined {
    if (this.#inside < this.#mostAtOnce) {
      this.#inside++;
      return undefined;
    }
    if (this.waiting >= this.#mostWaiting) return this.#refuseSoon();
    this.#watch ??= setInterval(() => this.refuseLate(), lookEveryMs).unref();
    return new Promise((admit, refuse) => {
      this.#queue.push({ presence, since: this.#now(), admit, refuse });
    });
  }

  leave(): void {
    const next = this.#takeNext();
    if (next) next.admit();
    else this.#inside--;
  }

  /** Refuses those who have waited too long. */
  refuseLate(): void {
    const latest = this.#now() - this.#patienceMs;
    while (this.#queue[0] && this.#queue[0].since <= latest) this.#shift()?.refuse(overloaded);
  }

  #refuseSoon(): Promise<void> {
    return new Promise((_admit, refuse) => {
      setTimeout(refuse, this.#pauseMs, overloaded).unref();
    });
  }

  /** The next who is still there. */
  #takeNext(): Waiting | undefined {
    for (let next = this.#shift(); next; next = this.#shift()) {
      if (!next.presence.isGone) return next;
      next.refuse(gone);
    }
    return undefined;
  }

  #shift(): Waiting | undefined {
    const first = this.#queue.shift();
    if (this.#queue.length === 0 && this.#watch) {
      clearInterval(this.#watch);
      this.#watch = null;
    }
    return first;
  }
}
