export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Midnight in UTC, at which the given day began. Every time of the demo counts back from it. */
export function startOfDay(today: Date): number {
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate());
}

export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
