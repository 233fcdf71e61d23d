import { expect, it } from 'vitest';
import { followRow, rowAt, stepFrom } from './current-row.ts';

const none: ReadonlySet<string> = new Set();

it('stays at its row when others arrive before it', () => {
  const current = rowAt(['a', 'b'], 0);
  expect(followRow(current, ['new', 'a', 'b'], none)).toEqual({ key: 'a', place: 1 });
});

it('goes on to the next row after a decision made here', () => {
  const decided = new Set(['b']);
  expect(followRow(rowAt(['a', 'b', 'c'], 1), ['a', 'c'], decided)).toEqual({ key: 'c', place: 1 });
  expect(followRow(rowAt(['a', 'b'], 1), ['a'], decided)).toEqual({ key: 'a', place: 0 });
});

it('waits for the next rows when all that were loaded are decided', () => {
  const decided = new Set(['a', 'b']);
  const current = rowAt(['a', 'b'], 1);
  expect(followRow(current, [], decided)).toBe(current);
  expect(followRow(current, ['c'], decided)).toEqual({ key: 'c', place: 0 });
});

it('chooses no other row when its row has left for another reason', () => {
  const current = followRow(rowAt(['a', 'b', 'c'], 1), ['a', 'c'], none);
  expect(current).toEqual({ key: null, place: 1 });
  expect(followRow(current, ['a', 'c'], none)).toEqual(current);
  expect(stepFrom(current, 1, ['a', 'c'])).toEqual({ key: 'c', place: 1 });
  expect(stepFrom(current, -1, ['a', 'c'])).toEqual({ key: 'a', place: 0 });
});

it('steps from row to row, and not beyond the ends', () => {
  const keys = ['a', 'b'];
  expect(stepFrom(rowAt(keys, 0), 1, keys)).toEqual({ key: 'b', place: 1 });
  expect(stepFrom(rowAt(keys, 1), 1, keys)).toEqual({ key: 'b', place: 1 });
  expect(stepFrom(rowAt(keys, 0), -1, keys)).toEqual({ key: 'a', place: 0 });
});
