import { expect, it } from 'vitest';
import { nameWait } from './name-wait.ts';

it('names how long something has waited, in the largest unit', () => {
  const now = Date.parse('2026-11-15T09:30:00Z');
  const wait = (ms: number) => nameWait(new Date(now - ms).toISOString(), now);
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  expect([59_000, minute, 59 * minute, hour, 23 * hour, day, 1_500 * day].map(wait)).toEqual([
    'less than a minute',
    '1 minute',
    '59 minutes',
    '1 hour',
    '23 hours',
    '1 day',
    '1,500 days',
  ]);
  // The clock of the service may be ahead.
  expect(wait(-5_000)).toBe('less than a minute');
});
