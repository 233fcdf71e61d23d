import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

const backoff = { baseMs: 250, capMs: 8000 };

it('doubles with each attempt up to the cap', () => {
  const limits = [1, 2, 3, 4, 5, 6, 7, 100].map((attempts) => backoffMs(backoff, attempts, 1));
  expect(limits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

it('is a random part of that', () => {
  expect([0, 0.25, 0.5].map((random) => backoffMs(backoff, 3, random))).toEqual([0, 250, 500]);
});
