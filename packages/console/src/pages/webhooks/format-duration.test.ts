import { expect, it } from 'vitest';
import { formatDuration } from './format-duration.ts';

it('names short and long durations', () => {
  expect([0, 84, 999, 1_000, 15_004].map(formatDuration)).toEqual([
    '0 ms',
    '84 ms',
    '999 ms',
    '1.0 s',
    '15.0 s',
  ]);
});
