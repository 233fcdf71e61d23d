import { expect, it } from 'vitest';
import { sumAmounts } from './sum-amounts.ts';

it.each([
  [[], '0.00'],
  [[0.1, 0.2, 0.01], '0.31'],
  [[999999999999.99, 0.01], '1000000000000.00'],
])('adds %j', (amounts, expected) => {
  expect(sumAmounts(amounts)).toBe(expected);
});
