import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-11-15T09:30:00.000Z');

it.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['0', 0],
  ['3', 3000],
  [' 3 ', 3000],
  ['0.0015', 2],
  ['Sun, 15 Nov 2026 09:30:07 GMT', 7000],
  ['Sun, 15 Nov 2026 09:29:00 GMT', 0],
])('reads %j as %j ms', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});
