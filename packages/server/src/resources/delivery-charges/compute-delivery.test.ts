import { expect, it } from 'vitest';
import { computeDeliveryCents } from './compute-delivery.ts';

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
