import { expect, it } from 'vitest';
import { percentile } from './percentile.ts';

it('returns the value that a share of all values does not exceed', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 100, 198, 200]);
  expect(percentile([7], 0.99)).toBe(7);
  expect(() => percentile([], 0.99)).toThrow(RangeError);
});
