import { readOneOf, removeAbsent } from '../../filters/read-filter.ts';
import { texts } from '../../texts/overview.ts';

/** How the overview divides time: the length of a point, and how many of them make the period. */
export const periods = {
  day: { label: '30 days', count: 30, previous: texts.daysBefore30, point: 'day' },
  week: { label: '12 weeks', count: 12, previous: texts.weeksBefore12, point: 'week' },
  month: { label: '12 months', count: 12, previous: texts.monthsBefore12, point: 'month' },
} as const;

export type Period = keyof typeof periods;

/** What the overview shows. */
export interface OverviewSearch {
  readonly period?: Period;
  /** Of the revenue. */
  readonly currency?: string;
}

/** Period and currency of the URL. */
export function readOverviewSearch({ period, currency }: Record<string, unknown>): OverviewSearch {
  return removeAbsent({
    period: readOneOf(Object.keys(periods) as Period[], period),
    currency: typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
  });
}

/** The first day to ask for, so that the response has the period and the one before it. */
export function firstDayOf(period: Period, today: Date): string {
  const { count } = periods[period];
  const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()));
  if (period === 'day') first.setUTCDate(first.getUTCDate() - 2 * count + 1);
  if (period === 'week') first.setUTCDate(first.getUTCDate() - 7 * (2 * count - 1));
  if (period === 'month') first.setUTCMonth(first.getUTCMonth() - 2 * count + 1, 1);
  return first.toISOString().slice(0, 10);
}
