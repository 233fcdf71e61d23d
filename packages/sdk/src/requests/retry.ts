import type { KeyfrontError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import { mayRetry, type RetryableRequest } from './may-retry.ts';

export interface RetryPolicy {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly deadlineMs: number;
  readonly backoff: Backoff;
}

export interface Retried extends RetryableRequest {
  readonly signal?: AbortSignal | undefined;
}

/** Attempts until it succeeds, until trying again is of no use, or until attempts or time are used up. */
export async function retry<Result>(
  attempt: (timeoutMs: number) => Promise<Result>,
  { timeoutMs, maxAttempts, deadlineMs, backoff }: RetryPolicy,
  { now, delay, random }: Pick<Runtime, 'now' | 'delay' | 'random'>,
  { signal, ...request }: Retried,
): Promise<Result> {
  const giveUpAt = now() + deadlineMs;
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    try {
      // A pause may take longer than it was to; what is left then is hardly anything, but not nothing.
      return await attempt(Math.max(1, Math.min(timeoutMs, giveUpAt - now())));
    } catch (error) {
      signal?.throwIfAborted();
      if (attempts >= maxAttempts || !mayRetry(error, request)) throw error;
      const pauseMs = pauseAfter(error, backoffMs(backoff, attempts, random()));
      if (now() + pauseMs >= giveUpAt) throw error;
      await delay(pauseMs, signal);
    }
  }
}

/** The service's advice is the least; chance on top of it, since everybody got the same advice. */
function pauseAfter({ retryAfterMs }: KeyfrontError, ownMs: number): number {
  return (retryAfterMs ?? 0) + ownMs;
}
