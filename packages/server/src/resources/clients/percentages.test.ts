import { expect, it } from 'vitest';
import { computePercentages } from './percentages.ts';

it.each([
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
  [
    [5, 0, 0],
    [100, 0, 0],
  ],
  [
    [1, 1, 0],
    [50, 50, 0],
  ],
  [
    [1, 1, 1],
    [33.34, 33.33, 33.33],
  ],
  [
    [2, 2, 2],
    [33.34, 33.33, 33.33],
  ],
  [
    [1, 2, 3],
    [16.67, 33.33, 50],
  ],
  [
    [20, 92, 8],
    [16.67, 76.67, 6.66],
  ],
  [
    [1, 999_999, 0],
    [0, 100, 0],
  ],
  // The lost parts are 0.4, 0.3 and 0.3 hundredths: one is left over, for the first.
  [
    [4, 99_993, 3],
    [0.01, 99.99, 0],
  ],
])('shares 100 out to %j', (counts, percentages) => {
  expect(computePercentages(counts)).toEqual(percentages);
});

it('always makes 100, and is never a hundredth or more away from the exact share', { tags: ['long'] }, () => {
  for (let first = 0; first <= 40; first++) {
    for (let second = 0; second <= 40; second++) {
      for (const third of [1, 2, 7, 13, 40, 997]) {
        const counts = [first, second, third];
        const total = first + second + third;
        const hundredths = computePercentages(counts).map((percentage) => Math.round(percentage * 100));
        expect(
          hundredths.reduce((sum, each) => sum + each, 0),
          `${counts}`,
        ).toBe(10_000);
        for (const [index, each] of hundredths.entries()) {
          expect(Math.abs(each - ((counts[index] ?? 0) * 10_000) / total), `${counts}`).toBeLessThan(1);
        }
      }
    }
  }
});
