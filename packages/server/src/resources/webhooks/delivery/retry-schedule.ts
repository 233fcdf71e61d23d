const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each failed attempt the next one comes. After the last one a delivery has failed. */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** The largest part of a delay that is added to it at random, so that deliveries which failed together are not repeated together. */
const jitter = 0.1;

/** Returns how long to wait after this many attempts. Null: there is no further attempt. */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number | null {
  const delayMs = retryDelaysMs[attempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + jitter * random()));
}

/** A webhook whose deliveries have all failed for this long is disabled. */
export const disableAfterMs = 5 * 24 * hour;
