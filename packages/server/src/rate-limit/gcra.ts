import type { Decision } from './counter.ts';
import type { Policy } from './limits.ts';

/*
 * A caller's whole state is one number, its debt: how long it would have to be silent until its quota is whole again.
 * Each request adds an interval, time takes it away, and what would be more than a window is refused (GCRA). So the
 * quota comes back evenly, and there is no edge of a window around which somebody could use it twice.
 */

/** Sums of intervals are not exact where the quota does not divide the window. */
const toleranceMs = 0.001;

/** How many more requests fit. */
export function unitsLeft({ windowMs, intervalMs }: Policy, debtMs: number): number {
  return Math.max(0, Math.floor((windowMs - debtMs + toleranceMs) / intervalMs));
}

/** The answer to a request that is counted in this debt. */
export function admitted(policy: Policy, debtMs: number): Decision {
  const remaining = unitsLeft(policy, debtMs);
  const nextUnitAt = policy.windowMs - (remaining + 1) * policy.intervalMs;
  return { isAdmitted: true, remaining, waitMs: Math.max(0, debtMs - nextUnitAt) };
}

/** The answer to a request that does not fit beside this debt. */
export function refused(policy: Policy, debtMs: number): Decision {
  return {
    isAdmitted: false,
    remaining: 0,
    waitMs: Math.max(0, debtMs + policy.intervalMs - policy.windowMs),
  };
}
