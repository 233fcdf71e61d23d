import type { Counter, LedgerLink } from '@keyfront/rate-limiter';
import { MemoryCounter, RedisCounter, SharedCounter } from '@keyfront/rate-limiter';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

interface RateLimitDependencies {
  readonly enabled: boolean;
  readonly redisUrl: string | null;
  /** How many processes serve the port. */
  readonly workers: number;
  /** The channel to the primary process, in one of several workers. */
  readonly link?: LedgerLink | undefined;
  readonly onRedisUnavailable: (error: Error) => void;
  readonly onRedisRestored: () => void;
}

export interface OpenRateLimits {
  readonly limits: RateLimits;
  close(): void;
}

const leaseCheckIntervalMs = 250;

/** The rate limits of this process, with the counter for the way in which the service is run. */
export function openRateLimits(dependencies: RateLimitDependencies): OpenRateLimits {
  const { enabled, redisUrl, workers, link } = dependencies;
  const closers: (() => void)[] = [];
  let counter: Counter = new MemoryCounter();
  if (enabled && link) {
    const shared = new SharedCounter({ link, workers });
    const timer = setInterval(() => {
      shared.releaseIdleLeases();
      shared.expirePendingLeases();
    }, leaseCheckIntervalMs);
    timer.unref();
    closers.push(() => clearInterval(timer));
    counter = shared;
  }
  if (enabled && redisUrl !== null) {
    const redis = new RedisCounter({
      url: redisUrl,
      fallback: counter,
      onUnavailable: dependencies.onRedisUnavailable,
      onRestored: dependencies.onRedisRestored,
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
