export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The first and the last day that has a name with four digits for the year, as the database reads it. */
export const firstDay = Date.parse('0001-01-01');
export const lastDay = Date.parse('9999-12-31');

/** When the day of this moment began, in UTC. */
export function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / dayMs) * dayMs;
}

/** The day of this moment, such as 2026-11-15. */
export function nameDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
