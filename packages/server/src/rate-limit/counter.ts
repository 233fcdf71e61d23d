import type { Policy } from './limits.ts';

/** What became of one request. */
export interface Decision {
  readonly isAdmitted: boolean;
  /** What is left of the quota. */
  readonly remaining: number;
  /** Until one more unit of the quota is there: for a refused request, until it would be admitted. */
  readonly waitMs: number;
}

/** Counts what callers do. A counter that has the count at hand answers at once, without a promise. */
export interface Counter {
  /** Counts one request of this caller, unless its quota is used up. */
  take(policy: Policy, key: string): Decision | Promise<Decision>;
  /** Whether the caller's quota is used up, as far as this process knows. Counts nothing and never waits. */
  isUsedUp(policy: Policy, key: string): Decision | null;
}

/** Milliseconds of a clock that is never set back. */
export type Clock = () => number;

export const monotonicClock: Clock = () => performance.now();
