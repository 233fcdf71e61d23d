import { lazily } from './lazily.ts';
import { locale } from './locale.ts';

const dayMs = 24 * 3_600_000;
const full = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const day = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** In the visitor's time zone. */
export function formatMoment(time: string): string {
  return full().format(new Date(time));
}

function formatDay(time: string): string {
  return day().format(new Date(time));
}

/** `2026-11-15 09:30:00 UTC` */
export function formatUtc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `5 minutes ago`, or the day if it is more than a week away. */
export function formatAge(time: string, nowMs = Date.now()): string {
  const ageMs = Date.parse(time) - nowMs;
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['second', 1_000],
    ['minute', 60_000],
    ['hour', 3_600_000],
    ['day', dayMs],
  ];
  if (Math.abs(ageMs) >= 7 * dayMs) return formatDay(time);
  const [unit, lengthMs] = steps.findLast(([, ms]) => Math.abs(ageMs) >= ms) ?? ['second', 1_000];
  return relative().format(Math.round(ageMs / lengthMs), unit);
}
