import type { KeyfrontError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import { isRetryable } from './is-retryable.ts';

export interface RetryPolicy {
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Time limit of all attempts together. */
  readonly deadlineMs: number;
  readonly backoff: Backoff;
}

export interface RetryOptions {
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Runs attempts until one succeeds, an error is not retryable, or the attempts or the time are used up. */
export async function retry<Result>(
  attempt: (timeoutMs: number) => Promise<Result>,
  { timeoutMs, maxAttempts, deadlineMs, backoff }: RetryPolicy,
  { now, delay, random }: Pick<Runtime, 'now' | 'delay' | 'random'>,
  { isRepeatable, signal }: RetryOptions,
): Promise<Result> {
  const deadline = now() + deadlineMs;
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    try {
      // At least 1 ms: a delay may end later than planned.
      return await attempt(Math.max(1, Math.min(timeoutMs, deadline - now())));
    } catch (error) {
      signal?.throwIfAborted();
      if (attempts >= maxAttempts || !isRetryable(error, isRepeatable)) throw error;
      const pauseMs = pauseAfter(error, backoffMs(backoff, attempts, random()));
      if (now() + pauseMs >= deadline) throw error;
      await delay(pauseMs, signal);
    }
  }
}

/** `Retry-After` is the minimum. The random part on top spreads clients that got the same value. */
function pauseAfter({ retryAfterMs }: KeyfrontError, randomMs: number): number {
  return (retryAfterMs ?? 0) + randomMs;
}
