import { parseAmount } from '@keyfront/postgres';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCents, toAmount, toCents } from './amounts.ts';

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
])('converts the text %s to %d cents and back', (amount, cents) => {
  expect(toCents(amount)).toBe(cents);
  expect(formatCents(cents)).toBe(amount);
});

it.each([
  [0, 0n],
  [-0, 0n],
  [0.1, 10n],
  [0.29, 29n],
  [1.15, 115n],
  [12.5, 1_250n],
  [120, 12_000n],
  [9_999_999_999.99, 999_999_999_999n],
  ['12', 1_200n],
  ['12.5', 1_250n],
])('converts %j to %d cents', (amount, cents) => {
  expect(toCents(amount)).toBe(cents);
});

it('formats cents that are numbers', () => {
  expect([0, 5, 50, 12_345].map(formatCents)).toEqual(['0.00', '0.05', '0.50', '123.45']);
});

it.each([0.001, '0.001', 1e-7, 1e21, Number.NaN, '1e3', '1,5'])('rejects %j', (amount) => {
  expect(() => toCents(amount)).toThrow();
});

it.each(['0.001', '1.084999999999999999'])('does not parse %s, which has more than two decimals', (text) => {
  expect(() => parseAmount(text)).toThrow('An amount has more than two decimals');
});

describe('any amount', () => {
  /** The largest amount that the column of an order holds. */
  const largestCents = 99_999_999_999_999n;

  it('is exact as text, at any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (cents) => {
        const amount = formatCents(cents);
        expect(amount).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
        expect(toCents(amount)).toBe(cents);
      }),
    );
  });

  it('is exact as a JSON number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: largestCents }), (cents) => {
        const json = JSON.stringify(toAmount(cents));
        expect(json).toMatch(/^(0|[1-9]\d*)(\.\d{1,2})?$/);
        expect(toCents(JSON.parse(json))).toBe(cents);
        expect(parseAmount(formatCents(cents))).toBe(toAmount(cents));
      }),
      { examples: [[largestCents], [0n], [29n], [7_036_874_417_766_399n]] },
    );
  });
});
