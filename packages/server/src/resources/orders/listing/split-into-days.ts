import { dayMs, firstDay, formatDay, lastDay, startOfDay } from '../../../lib/utc-days.ts';

/** A time range as whole UTC days, which have counters, and the remainders at its edges. */
export interface WholeDays {
  /** First and last day; null for an open end. Null as a whole if the range contains no whole day. */
  readonly days: { readonly first: string | null; readonly last: string | null } | null;
  /** Both ends are inclusive. */
  readonly rests: readonly { readonly from: Date; readonly to: Date }[];
}

/** Splits a range. `to` is inclusive, to the millisecond. */
export function splitIntoDays(from: Date | null, to: Date | null): WholeDays {
  const rests: { from: Date; to: Date }[] = [];
  const head = from && startOfDay(from) < from.getTime() ? from : null;
  const tail = to && endOfDay(to) > to.getTime() ? to : null;
  if (from && to && (head || tail) && startOfDay(from) === startOfDay(to)) {
    return { days: null, rests: [{ from, to }] };
  }
  if (head) rests.push({ from: head, to: new Date(endOfDay(head)) });
  if (tail) rests.push({ from: new Date(startOfDay(tail)), to: tail });
  const first = from && startOfDay(from) + (head ? dayMs : 0);
  const last = to && startOfDay(to) - (tail ? dayMs : 0);
  const isEmpty = (last ?? lastDay) < (first ?? firstDay);
  return { days: isEmpty ? null : { first: nameEnd(first), last: nameEnd(last) }, rests };
}

function endOfDay(time: Date): number {
  return startOfDay(time) + dayMs - 1;
}

function nameEnd(day: number | null): string | null {
  return day === null ? null : formatDay(day);
}
