import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCents, readCents } from './money.ts';

it.each([
  ['0.00', 0n],
  ['0.01', 1n],
  ['0.99', 99n],
  ['1.00', 100n],
  ['120.00', 12_000n],
  ['999999999999.99', 99_999_999_999_999n],
  // Beyond the precision of a double.
  ['90071992547409.93', 9_007_199_254_740_993n],
  ['90071992547409930.01', 9_007_199_254_740_993_001n],
])('converts %s to %d cents and back', (amount, cents) => {
  expect(readCents(amount)).toBe(cents);
  expect(formatCents(cents)).toBe(amount);
});

it('formats cents that are numbers', () => {
  expect([0, 5, 50, 12_345].map(formatCents)).toEqual(['0.00', '0.05', '0.50', '123.45']);
});

it('is exact in both directions', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (cents) => {
      const amount = formatCents(cents);
      expect(amount).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
      expect(readCents(amount)).toBe(cents);
    }),
  );
});
