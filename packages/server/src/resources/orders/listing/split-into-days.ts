import { dayMs, firstDay, formatDay, lastDay, startOfDay } from '../../../utc-days.ts';

/** A range of time as whole days in UTC, which are counted already, and what is left of it at the edges. */
export interface WholeDays {
  /** First and last; null where the range has no such end. None where it holds no whole day. */
  readonly days: { readonly first: string | null; readonly last: string | null } | null;
  /** With both ends included. */
  readonly rests: readonly { readonly from: Date; readonly to: Date }[];
}

/** Takes a range apart; `to` is included, to the millisecond. */
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
