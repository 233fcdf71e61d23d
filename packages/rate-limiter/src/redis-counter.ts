import { CallerStates } from './caller-states.ts';
import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { createAdmission, createRejection, findRejection, type GcraState } from './gcra.ts';
import type { Policy } from './policy.ts';
import { defineLuaScript, RedisConnection, type RedisTimings } from './redis-connection.ts';

interface RedisCounterOptions {
  readonly url: string;
  /** Counts while Redis is unavailable. */
  readonly fallback: Counter;
  /** Called once when Redis becomes unavailable. */
  readonly onUnavailable: (error: Error) => void;
  /** Called when Redis is available again. */
  readonly onRestored: () => void;
  readonly now?: Clock;
  readonly timings?: RedisTimings;
}

/**
 * GCRA as in gcra.ts, in microseconds and by the clock of Redis, so that all machines agree. Returns whether the request
 * is admitted, and the backlog. If the clock was set back, the backlog is limited to one window.
 */
const takeUnitScript = defineLuaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local tat = tonumber(redis.call('GET', KEYS[1]) or 0) or 0
local backlog = math.min(math.max(tat - now, 0), window)
if backlog + interval > window then return {0, backlog} end
backlog = backlog + interval
redis.call('SET', KEYS[1], string.format('%.0f', now + backlog), 'PX', math.ceil(backlog / 1000))
return {1, backlog}
`);

/** Counts in Redis, for a service on several machines. While Redis is unavailable, the fallback counts. */
export class RedisCounter implements Counter {
  readonly #connection: RedisConnection;
  readonly #options: RedisCounterOptions;
  readonly #now: Clock;
  /** The last reply of Redis for each caller. It tells how long there is no need to ask about an exhausted quota. */
  readonly #states: CallerStates<GcraState>;
  #isAvailable = true;

  constructor(options: RedisCounterOptions) {
    const { url, now = monotonicClock, timings } = options;
    this.#options = options;
    this.#now = now;
    this.#states = new CallerStates(now);
    this.#connection = new RedisConnection({
      url,
      onFailure: (error) => this.#noteFailure(error),
      onReady: () => this.#noteSuccess(),
      timings,
    });
  }

  /** Whether Redis counts at the moment. */
  get isReady(): boolean {
    return this.#connection.isReady;
  }

  take(policy: Policy, key: string): Decision | Promise<Decision> {
    if (!this.#connection.isReady) return this.#options.fallback.take(policy, key);
    return this.#findRejection(policy, key) ?? this.#takeFromRedis(policy, key);
  }

  peekRejection(policy: Policy, key: string): Decision | null {
    const isCountedByRedis = this.#connection.isReady && this.#isAvailable;
    return isCountedByRedis
      ? this.#findRejection(policy, key)
      : this.#options.fallback.peekRejection(policy, key);
  }

  close(): void {
    this.#connection.close();
  }

  /** Other machines can only have added to a backlog that is known here. */
  #findRejection(policy: Policy, key: string): Decision | null {
    const state = this.#states.get(policy, key);
    return state === undefined ? null : findRejection(policy, state.tatMs - this.#now());
  }

  async #takeFromRedis(policy: Policy, key: string): Promise<Decision> {
    let isAdmitted: boolean;
    let backlogMs: number;
    try {
      const reply = await this.#connection.evaluate(
        takeUnitScript,
        `keyfront:limit:${policy.name}:${key}`,
        String(Math.floor(policy.intervalMs * 1000)),
        String(policy.windowMs * 1000),
      );
      [isAdmitted, backlogMs] = parseReply(reply);
    } catch (error) {
      this.#noteFailure(error instanceof Error ? error : new Error(String(error)));
      return this.#options.fallback.take(policy, key);
    }
    this.#noteSuccess();
    this.#states.set(policy, key, { tatMs: this.#now() + backlogMs });
    return isAdmitted ? createAdmission(policy, backlogMs) : createRejection(policy, backlogMs);
  }

  #noteFailure(error: Error): void {
    if (!this.#isAvailable) return;
    this.#isAvailable = false;
    this.#options.onUnavailable(error);
  }

  #noteSuccess(): void {
    if (this.#isAvailable) return;
    this.#isAvailable = true;
    this.#options.onRestored();
  }
}

function parseReply(reply: unknown): [isAdmitted: boolean, backlogMs: number] {
  if (Array.isArray(reply)) {
    const [isAdmitted, backlogMicroseconds] = reply;
    if (typeof isAdmitted === 'number' && typeof backlogMicroseconds === 'number') {
      return [isAdmitted === 1, backlogMicroseconds / 1000];
    }
  }
  throw new Error('Redis replied in an unexpected form');
}
