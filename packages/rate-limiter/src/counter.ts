import type { Policy } from './policy.ts';

/** Whether a request is admitted, and what is left of the quota. */
export interface Decision {
  readonly isAdmitted: boolean;
  /** Units of the quota that are left. */
  readonly remaining: number;
  /** Time until the quota has one more unit. After a rejection, the time until a request is admitted. */
  readonly waitMs: number;
}

/** Counts the requests of callers. */
export interface Counter {
  /** Counts one request, unless the quota is exhausted. Returns a promise only where it must ask another process. */
  take(policy: Policy, key: string): Decision | Promise<Decision>;
  /** The rejection of the caller's next request, or null if this process knows of none. Counts nothing, never waits. */
  peekRejection(policy: Policy, key: string): Decision | null;
}

/** Milliseconds of a clock that never goes back. */
export type Clock = () => number;

export const monotonicClock: Clock = () => performance.now();
