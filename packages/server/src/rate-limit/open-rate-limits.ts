import type { Counter } from './counter.ts';
import type { LedgerLink } from './ledger-messages.ts';
import { MemoryCounter } from './memory-counter.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { RedisCounter } from './redis-counter.ts';
import { SharedCounter, tendEveryMs } from './shared-counter.ts';

interface RateLimitParts {
  readonly enabled: boolean;
  readonly redisUrl: string | null;
  /** How many processes serve. */
  readonly workers: number;
  /** The way to the first process, in one of several workers. */
  readonly link?: LedgerLink | undefined;
  readonly onRedisAway: (error: Error) => void;
  readonly onRedisBack: () => void;
}

export interface OpenRateLimits {
  readonly limits: RateLimits;
  close(): void;
}

/** The limits of this process, with the counter that fits how the service is run. */
export function openRateLimits(parts: RateLimitParts): OpenRateLimits {
  const { enabled, redisUrl, workers, link } = parts;
  const closers: (() => void)[] = [];
  let counter: Counter = new MemoryCounter();
  if (enabled && link) {
    const shared = new SharedCounter({ link, workers });
    const tending = setInterval(() => shared.tend(), tendEveryMs);
    tending.unref();
    closers.push(() => clearInterval(tending));
    counter = shared;
  }
  if (enabled && redisUrl !== null) {
    const redis = new RedisCounter({
      url: redisUrl,
      fallback: counter,
      onAway: parts.onRedisAway,
      onBack: parts.onRedisBack,
    });
    closers.push(() => redis.close());
    counter = redis;
  }
  return {
    limits: createRateLimits({ counter, enabled }),
    close: () => {
      for (const close of closers) close();
    },
  };
}
