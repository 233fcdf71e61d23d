import { expect, it } from 'vitest';
import { divideEvenly } from './divide-evenly.ts';

it.each([
  [10, 1, [10]],
  [10, 3, [4, 3, 3]],
  [11, 3, [5, 3, 3]],
  [2, 3, [2, 0, 0]],
  [0, 2, [0, 0]],
  [-7, 3, [-3, -2, -2]],
])('divides %d into %d parts as %j', (units, parts, expected) => {
  expect(divideEvenly(units, parts)).toEqual(expected);
});
