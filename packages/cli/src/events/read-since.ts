import { usageError } from '../cli-error.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads how long ago something begins, such as `90s`, `10m`, `1h` or `2d`, as a time. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw usageError('--since must be a duration such as 30m, 1h or 2d');
  return new Date(now.getTime() - Number(count) * unitsMs[unit as keyof typeof unitsMs]);
}
