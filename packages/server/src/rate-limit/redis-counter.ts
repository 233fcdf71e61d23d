import { createHash } from 'node:crypto';
import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { admitted, refused, unitsLeft } from './gcra.ts';
import type { Policy } from './limits.ts';
import { defaultMaxKeys } from './memory-counter.ts';
import { RecentKeys } from './recent-keys.ts';
import { RedisConnection, type RedisTimings } from './redis-connection.ts';
import { RedisError, type Reply } from './resp.ts';

interface RedisCounterOptions {
  readonly url: string;
  /** Counts while Redis is away. */
  readonly fallback: Counter;
  /** Redis is away; told once, until it is back. */
  readonly onAway: (error: Error) => void;
  readonly onBack: () => void;
  readonly now?: Clock;
  readonly timings?: RedisTimings;
}

/**
 * The same arithmetic as in `debt.ts`, in microseconds and by the clock of Redis, so that all machines agree. A clock
 * that was set back leaves a debt of a window at most.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local fullAt = tonumber(redis.call('GET', KEYS[1]) or 0) or 0
local debt = math.min(math.max(fullAt - now, 0), window)
if debt + interval > window then return {0, debt} end
debt = debt + interval
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', math.ceil(debt / 1000))
return {1, debt}
`;
const scriptHash = createHash('sha1').update(script).digest('hex');

/** Counts in Redis, for a service on several machines. Where Redis does not answer, the fallback counts. */
export class RedisCounter implements Counter {
  readonly #connection: RedisConnection;
  readonly #fallback: Counter;
  readonly #options: RedisCounterOptions;
  readonly #now: Clock;
  /** What Redis last said of a caller: from it alone follows for how long there is no need to ask again. */
  readonly #known = new Map<Policy, RecentKeys<{ fullAtMs: number }>>();
  #isAway = false;

  constructor(options: RedisCounterOptions) {
    const { url, fallback, now = monotonicClock, timings } = options;
    this.#options = options;
    this.#fallback = fallback;
    this.#now = now;
    this.#connection = new RedisConnection({
      url,
      onFailure: (error) => this.#noteAway(error),
      onReady: () => this.#noteBack(),
      ...(timings ? { timings } : {}),
    });
  }

  /** Whether Redis counts at the moment. */
  get isReady(): boolean {
    return this.#connection.isReady;
  }

  take(policy: Policy, key: string): Decision | Promise<Decision> {
    if (!this.#connection.isReady) return this.#fallback.take(policy, key);
    return this.#refusal(policy, key) ?? this.#ask(policy, key);
  }

  isUsedUp(policy: Policy, key: string): Decision | null {
    return this.#connection.isReady ? this.#refusal(policy, key) : this.#fallback.isUsedUp(policy, key);
  }

  close(): void {
    this.#connection.close();
  }

  /** Others can only have added to a debt that is known here. */
  #refusal(policy: Policy, key: string): Decision | null {
    const now = this.#now();
    const known = this.#known.get(policy)?.get(key, now);
    if (known === undefined) return null;
    const debtMs = known.fullAtMs - now;
    return unitsLeft(policy, debtMs) === 0 ? refused(policy, debtMs) : null;
  }

  async #ask(policy: Policy, key: string): Promise<Decision> {
    let verdict: readonly [isAdmitted: boolean, debtMs: number];
    try {
      verdict = readVerdict(await this.#runScript(policy, key));
    } catch (error) {
      this.#noteAway(error instanceof Error ? error : new Error(String(error)));
      return this.#fallback.take(policy, key);
    }
    this.#noteBack();
    const [isAdmitted, debtMs] = verdict;
    this.#remember(policy, key, debtMs);
    return isAdmitted ? admitted(policy, debtMs) : refused(policy, debtMs);
  }

  async #runScript(policy: Policy, key: string): Promise<Reply> {
    const words = [
      '1',
      `keyfront:limit:${policy.name}:${key}`,
      String(Math.floor(policy.intervalMs * 1000)),
      String(policy.windowMs * 1000),
    ];
    try {
      return await this.#connection.call('EVALSHA', scriptHash, ...words);
    } catch (error) {
      // A Redis that was started anew has not seen the script yet.
      if (!(error instanceof RedisError && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.#connection.call('EVAL', script, ...words);
    }
  }

  #remember(policy: Policy, key: string, debtMs: number): void {
    const now = this.#now();
    let known = this.#known.get(policy);
    if (known === undefined) {
      known = new RecentKeys(policy.windowMs, defaultMaxKeys);
      this.#known.set(policy, known);
    }
    const entry = known.get(key, now);
    if (entry) entry.fullAtMs = now + debtMs;
    else known.add(key, { fullAtMs: now + debtMs }, now);
  }

  #noteAway(error: Error): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.onAway(error);
  }

  #noteBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.onBack();
  }
}

function readVerdict(reply: Reply): readonly [boolean, number] {
  if (Array.isArray(reply)) {
    const [isAdmitted, debt] = reply;
    if (typeof isAdmitted === 'number' && typeof debt === 'number') return [isAdmitted === 1, debt / 1000];
  }
  throw new Error('Redis gave an answer of another form');
}
