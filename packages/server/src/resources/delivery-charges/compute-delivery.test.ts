import { expect, it } from 'vitest';
import { computeDeliveryCents, computeTaxCents } from './compute-delivery.ts';

const charges = [
  { currency: 'EUR', deliveryCharge: 4.9, freeFrom: 75 },
  { currency: 'USD', deliveryCharge: 0.29, freeFrom: null },
];

it.each([
  ['EUR', 0n, 490n],
  ['EUR', 7_499n, 490n],
  ['EUR', 7_500n, 0n],
  ['EUR', 99_999_999_999_999n, 0n],
  ['USD', 99_999_999_999_999n, 29n],
  ['ZAR', 100n, 0n],
  [null, 100n, 0n],
])('charges an order in %s with a subtotal of %d cents %d cents', (currency, subTotalCents, expected) => {
  expect(computeDeliveryCents(charges, currency, subTotalCents)).toBe(expected);
});

it.each([
  [0n, 23, 0n],
  [12_300n, 23, 2_300n],
  [7_500n, 23, 1_402n],
  [10_000n, 0, 0n],
  [10_000n, 100, 5_000n],
  [1n, 100, 1n],
  [99_999_999_999_999n, 5.5, 5_213_270_142_180n],
])('finds in %d cents at %d per cent %d cents of tax', (cents, rate, expected) => {
  expect(computeTaxCents(cents, rate)).toBe(expected);
});

it('never taxes more than there is, and together with the net amount gives the whole', () => {
  for (const rate of [0, 0.01, 5.5, 7, 19, 20, 21.5, 23, 99.99, 100]) {
    for (let cents = 0n; cents < 5_000n; cents += 7n) {
      const tax = computeTaxCents(cents, rate);
      const exact = (Number(cents) * rate) / (100 + rate);
      expect(Math.abs(Number(tax) - exact)).toBeLessThanOrEqual(0.5 + 1e-9);
      expect(tax >= 0n && tax <= cents).toBe(true);
    }
  }
});
