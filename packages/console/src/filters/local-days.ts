/** The viewer's days as moments, which the service compares with. A day begins and ends where the clock on the wall says so. */

interface Days {
  readonly startDate?: string;
  readonly endDate?: string;
}

/** The filters of a list with its days as moments, for the service. */
export function daysToMoments<Filters extends Days>(filters: Filters): Filters {
  const { startDate, endDate } = filters;
  return {
    ...filters,
    ...(startDate ? { startDate: startOfLocalDay(startDate) } : {}),
    ...(endDate ? { endDate: endOfLocalDay(endDate) } : {}),
  };
}

/** The day that it is now for the viewer, as `2026-11-12`. */
export function today(): string {
  return daysAgo(0);
}

/** The day that it was for the viewer so many days ago. */
export function daysAgo(days: number): string {
  const now = new Date();
  const midnight = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() - days);
  return new Date(midnight).toISOString().slice(0, 10);
}

/** `2026-11-12` as the moment at which that day begins for the viewer. */
export function startOfLocalDay(day: string): string {
  return beginningOf(day).toISOString();
}

/** `2026-11-12` as the last millisecond of that day for the viewer. Not 24 hours later: a day may have 23 or 25. */
export function endOfLocalDay(day: string): string {
  const start = beginningOf(day).getTime();
  const [nextDay = ''] = new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3_600_000).toISOString().split('T');
  // A day that a change of the date line has skipped begins and ends with the day after it.
  return new Date(Math.max(start, beginningOf(nextDay).getTime() - 1)).toISOString();
}

/** A time without a zone is one of the viewer's. Where the clock skips midnight, it is the first moment after it. */
function beginningOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}
