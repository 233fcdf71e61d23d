import {
  type ChartInterval,
  maximumChartPoints,
  type OrderChartQuery,
  parseMoment,
  startOf,
} from '@keyfront/protocol';
import { validationFailed } from '../../../lib/errors/api-error.ts';
import { dayMs, firstDay, formatDay, startOfDay } from '../../../lib/utc-days.ts';

/** The first and last day of a chart, and the first day of each interval. All days are UTC. */
export interface ChartRange {
  readonly interval: ChartInterval;
  readonly startDate: string;
  readonly endDate: string;
  readonly dates: readonly string[];
}

const defaultDays = 30;

/** Reads the range of a query, or throws the 400. The default is the last thirty days by day. */
export function readChartRange(query: OrderChartQuery, now: Date): ChartRange {
  const interval = query.interval || 'day';
  const end = readDay(query.endDate) ?? startOfDay(now);
  const start = readDay(query.startDate) ?? Math.max(firstDay, end - (defaultDays - 1) * dayMs);
  if (end < start) throw validationFailed(['endDate must not be before startDate']);
  const dates: string[] = [];
  for (let at = startOfInterval(start, interval); at <= end; at = nextInterval(at, interval)) {
    if (dates.push(formatDay(at)) > maximumChartPoints) {
      throw validationFailed([
        `startDate must be later, or the interval longer: a chart has at most ${maximumChartPoints} points`,
      ]);
    }
  }
  return { interval, startDate: formatDay(start), endDate: formatDay(end), dates };
}

function readDay(text: string | undefined): number | null {
  const moment = text ? parseMoment(text) : null;
  return moment && startOfDay(startOf(moment));
}

/** Returns the first day of the interval that contains a day. Weeks begin on Monday. */
function startOfInterval(day: number, interval: ChartInterval): number {
  const date = new Date(day);
  if (interval === 'week') return day - ((date.getUTCDay() + 6) % 7) * dayMs;
  return interval === 'month' ? date.setUTCDate(1) : day;
}

function nextInterval(start: number, interval: ChartInterval): number {
  if (interval === 'month') {
    const date = new Date(start);
    return date.setUTCMonth(date.getUTCMonth() + 1);
  }
  return start + (interval === 'week' ? 7 : 1) * dayMs;
}
