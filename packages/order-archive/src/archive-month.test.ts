import { expect, it } from 'vitest';
import { describeMonthError, readMonth } from './archive-month.ts';

const now = new Date('2026-11-18T10:00:00.000Z');

it.each(['', '2024', '2024-1', '2024-13', '2024-00', '2024-01-01', 'January', '02024-01', '2024-01 '])(
  'does not read %j',
  (text) => expect(readMonth(text)).toBeNull(),
);

it('reads a month as its begin in UTC', () => {
  expect(readMonth('2024-01')?.toISOString()).toBe('2024-01-01T00:00:00.000Z');
});

it.each(['2025-11', '2025-10', '1999-01'])('accepts %s', (text) => {
  expect(describeMonthError(readMonth(text) as Date, now)).toBeNull();
});

it.each(['2025-12', '2026-11', '2031-01'])('refuses %s, and names the latest month', (text) => {
  expect(describeMonthError(readMonth(text) as Date, now)).toBe(
    'Orders are archived when they are at least 12 months old: the latest month is --before 2025-11.',
  );
});
