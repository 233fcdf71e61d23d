import { Type } from 'typebox';
import { textPatterns } from './text-patterns.ts';

/** A day in UTC, or a point in time. */
export type Moment = { readonly day: string } | { readonly instant: Date };

const form = new RegExp(textPatterns.momentOrEmpty.pattern);
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an ISO 8601 date or date-time. A date-time without a zone is in UTC. Returns null for anything else. */
export function parseMoment(text: string): Moment | null {
  const [, , year, month, day, , time, , , zone = 'Z'] = form.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const midnight = new Date(`${date}T00:00:00.000Z`);
  // Date accepts 30 February and turns it into 2 March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return null;
  const instant = time === undefined ? midnight : new Date(`${date}T${time}${zone.toUpperCase()}`);
  if (!(instant.getTime() >= earliest && instant.getTime() <= latest)) return null;
  return time === undefined ? { day: date } : { instant };
}

const lastOfDay = 'T23:59:59.999Z';

/** The start of a range that begins with the moment. */
export function startOf(moment: Moment): Date {
  return 'day' in moment ? new Date(`${moment.day}T00:00:00.000Z`) : moment.instant;
}

/** The last millisecond of a range that ends with the moment. A day is included up to its end. */
export function endOf(moment: Moment): Date {
  return 'day' in moment ? new Date(moment.day + lastOfDay) : moment.instant;
}

/** A date or date-time in a query. Empty means no filter. */
export const MomentFilter = (description: string) =>
  Type.String({
    pattern: textPatterns.momentOrEmpty.pattern,
    description: `${description} An ISO 8601 date-time, or a date alone.`,
    examples: ['2026-11-15T09:30:00.000Z'],
  });
