import { expect, it } from 'vitest';
import { readCents, toCents } from './read-cents.ts';

it('reads amounts with a point or a comma, and nothing that is not an amount', () => {
  expect(['12', '12.5', '12,50', ' 0.07 '].map(readCents)).toEqual([1200, 1250, 1250, 7]);
  expect(['', '-1', '1.234', '1,234.00', '1e3', '€5', 'all'].map(readCents)).toEqual(Array(7).fill(null));
  expect([toCents(0.1 + 0.2), toCents(19.99)]).toEqual([30, 1999]);
});
