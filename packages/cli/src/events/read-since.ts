import { usageError } from '../cli-error.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What `--since` accepts, for the help of a command. */
export const sinceForms = 'a time such as 2026-11-15T09:30:00Z, or how long ago: 30m, 1h, 2d';

/** Reads when something begins: how long ago, such as `90s`, `10m`, `1h` or `2d`, or a time in ISO 8601. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(count) * unitsMs[unit as keyof typeof unitsMs]);
  // Without an offset, JavaScript takes a date for UTC and a time for local: every time must say which it is.
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isTime ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime())) throw usageError(`--since must be ${sinceForms}`);
  return time;
}
