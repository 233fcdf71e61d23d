import { expect, it } from 'vitest';
import { readAmount, readCents, toCents } from './read-cents.ts';

it('reads amounts with a point or a comma, and nothing that is not an amount', () => {
  expect(['12', '12.5', '12,50', ' 0.07 ', '€12.60', '$ 5'].map(readCents)).toEqual([
    1200, 1250, 1250, 7, 1260, 500,
  ]);
  expect(['', '-1', '1.234', '1,234.00', '1e3', '5€5', '€', 'all'].map(readCents)).toEqual(
    Array(8).fill(null),
  );
  expect([toCents(0.1 + 0.2), toCents(19.99)]).toEqual([30, 1999]);
});

it('writes amounts as the service takes them, and leaves the rest to it', () => {
  expect(['5,90', ' 12.5', '€15,20', '', '1,234.00', 'free'].map(readAmount)).toEqual([
    '5.90',
    '12.5',
    '15.20',
    '',
    '1,234.00',
    'free',
  ]);
});
