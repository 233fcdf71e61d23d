import { texts } from '../../../texts/admin-overview.ts';

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long something has waited: `3 days`. */
export function nameWait(since: string, nowMs = Date.now()): string {
  const waitedMs = nowMs - Date.parse(since);
  const [unit, lengthMs] = steps.find(([, ms]) => waitedMs >= ms) ?? ['minute', 60_000];
  const count = Math.floor(waitedMs / lengthMs);
  if (count < 1) return texts.lessThanMinute;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
