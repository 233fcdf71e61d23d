import { expect, it } from 'vitest';
import { formatByteCount, formatDuration } from './format-quantity.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [1_550_000, '1.6 MB'],
  [2_500_000_000_000, '2500.0 GB'],
])('formats %i bytes', (bytes, expected) => {
  expect(formatByteCount(bytes)).toBe(expected);
});

it.each([
  [0, '0.0 s'],
  [840, '0.8 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('formats %i ms', (durationMs, expected) => {
  expect(formatDuration(durationMs)).toBe(expected);
});
