export const dayMs = 24 * 3_600_000;

/** The first and last day with a four-digit year. PostgreSQL does not read other years in this form. */
export const firstDay = Date.parse('0001-01-01');
export const lastDay = Date.parse('9999-12-31');

/** Returns the start of the UTC day that contains the time, in milliseconds. */
export function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / dayMs) * dayMs;
}

/** Formats the UTC day that contains the time, such as 2026-11-15. */
export function formatDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
