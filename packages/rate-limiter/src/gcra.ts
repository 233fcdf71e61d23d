import type { Decision } from './counter.ts';
import type { Policy } from './policy.ts';

/*
 * The generic cell rate algorithm (GCRA). Every admitted request moves the caller's theoretical arrival time (TAT) one
 * interval ahead; a request that would move it more than a window ahead of now is rejected. The quota refills evenly, and
 * there is no window boundary around which a caller could use it twice.
 *
 * The backlog is the distance from now to the TAT: 0 or less when the quota is full, a window when it is exhausted.
 */

/** All that GCRA has to know about one caller. */
export interface GcraState {
  /** The theoretical arrival time: the moment at which the quota is full again. */
  tatMs: number;
}

/** Sums of intervals are not exact where the quota does not divide the window. */
const toleranceMs = 0.001;

/** Counts one request, unless the quota is exhausted. */
export function takeUnit(policy: Policy, state: GcraState, nowMs: number): Decision {
  const backlogMs = Math.max(0, state.tatMs - nowMs);
  const rejection = findRejection(policy, backlogMs);
  if (rejection) return rejection;
  state.tatMs = nowMs + backlogMs + policy.intervalMs;
  return createAdmission(policy, backlogMs + policy.intervalMs);
}

/** How many requests may still be admitted. */
export function unitsLeft({ windowMs, intervalMs }: Policy, backlogMs: number): number {
  return Math.max(0, Math.floor((windowMs - backlogMs + toleranceMs) / intervalMs));
}

/** The decision on a request that has been admitted, and that `backlogMs` includes. */
export function createAdmission(policy: Policy, backlogMs: number): Decision {
  const remaining = unitsLeft(policy, backlogMs);
  const backlogOfNextUnitMs = policy.windowMs - (remaining + 1) * policy.intervalMs;
  return { isAdmitted: true, remaining, waitMs: Math.max(0, backlogMs - backlogOfNextUnitMs) };
}

/** The decision on a request that is not admitted. */
export function createRejection({ windowMs, intervalMs }: Policy, backlogMs: number): Decision {
  return { isAdmitted: false, remaining: 0, waitMs: Math.max(0, backlogMs + intervalMs - windowMs) };
}

/** The rejection of the next request; null if it would be admitted. */
export function findRejection(policy: Policy, backlogMs: number): Decision | null {
  return unitsLeft(policy, backlogMs) === 0 ? createRejection(policy, backlogMs) : null;
}
