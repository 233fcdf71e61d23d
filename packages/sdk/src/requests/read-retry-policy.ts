import type { ConnectionOptions } from '../options.ts';
import type { RetryPolicy } from './retry.ts';

/** Timers of all runtimes fire at once if their time is longer. */
const maxTimerMs = 2 ** 31 - 1;

/** Reads the limits of attempts in the options. A limit that is not a number would be no limit at all. */
export function readRetryPolicy(options: ConnectionOptions): RetryPolicy {
  const { timeoutMs = 30_000, maxAttempts = 5, deadlineMs = 60_000 } = options;
  const backoff = { baseMs: 250, capMs: 8_000, ...options.backoff };
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new TypeError('maxAttempts must be a positive integer');
  }
  requireTime('timeoutMs', timeoutMs, 1);
  requireTime('deadlineMs', deadlineMs, 1);
  requireTime('backoff.baseMs', backoff.baseMs, 0);
  requireTime('backoff.capMs', backoff.capMs, 0);
  return { timeoutMs, maxAttempts, deadlineMs, backoff };
}

function requireTime(name: string, ms: number, minimumMs: number): void {
  if (typeof ms !== 'number' || !(ms >= minimumMs && ms <= maxTimerMs)) {
    throw new TypeError(`${name} must be a number from ${minimumMs} to ${maxTimerMs}`);
  }
}
