export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Returns the start of the UTC day that contains the time, in milliseconds. */
export function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / dayMs) * dayMs;
}

export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
