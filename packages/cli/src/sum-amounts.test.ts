import { expect, it } from 'vitest';
import { sumAmounts } from './sum-amounts.ts';

it.each([
  [[], '0.00'],
  [['0.01', '0.02'], '0.03'],
  [['999999999999.99', '0.01'], '1000000000000.00'],
])('adds %j', (amounts, expected) => {
  expect(sumAmounts(amounts)).toBe(expected);
});
