import { describe, expect, it } from 'vitest';
import { findAncestor, type LightBlock, planStep } from './plan-step.ts';

/** Block 7 of branch b is `b7`, and stands on `b6`, or on what is given. */
const block = (number: number, branch = 'a', parent = branch): LightBlock => ({
  number,
  hash: `${branch}${number}`,
  parentHash: `${parent}${number - 1}`,
});
const blocks = (from: number, to: number, branch = 'a') =>
  Array.from({ length: to - from + 1 }, (_, index) => block(from + index, branch));

const state = (from: number, position: number) => ({
  position,
  finalized: from,
  kept: blocks(from, position),
});
const fresh = { position: -1, finalized: -1, kept: [] };

describe('the next step', () => {
  it.each([
    [
      'a fresh reader reads what is final at once',
      fresh,
      block(100),
      block(36),
      { kind: 'history', from: 0, to: 36 },
    ],
    [
      'a fresh reader on a young chain begins with the first block',
      fresh,
      block(3),
      block(0),
      { kind: 'history', from: 0, to: 0 },
    ],
    [
      'a reader that lags behind what is final reads it at once',
      state(10, 20),
      block(200),
      block(136),
      { kind: 'history', from: 21, to: 136 },
    ],
    ['one at a time above what is final', state(10, 20), block(22), block(12), { kind: 'next', number: 21 }],
    ['nothing new', state(10, 20), block(20), block(12), { kind: 'wait' }],
    ['a node that is behind on the same chain', state(10, 20), block(17), block(11), { kind: 'wait' }],
    ['a node that is behind even what is final', state(10, 20), block(5), block(1), { kind: 'wait' }],
    [
      'another head of the same height',
      state(10, 20),
      block(20, 'b'),
      block(12),
      { kind: 'fork', highest: 20 },
    ],
    [
      'a lower head of another branch',
      state(10, 20),
      block(15, 'b'),
      block(12),
      { kind: 'fork', highest: 15 },
    ],
    [
      'a final block that the reader has differently',
      state(10, 20),
      block(30, 'b'),
      block(14, 'b'),
      { kind: 'fork', highest: 14 },
    ],
  ])('%s', (_, reader, head, finalized, expected) => {
    expect(planStep(reader, { head, finalized })).toEqual(expected);
  });
});

describe('the common ancestor', () => {
  const kept = blocks(10, 20);
  const node = (...list: LightBlock[]) => new Map(list.map((each) => [each.number, each]));

  it('is the highest block that both have', () => {
    expect(findAncestor(kept, node(...blocks(16, 20, 'b'), block(15)))).toEqual(block(15));
    expect(findAncestor(kept, node(...blocks(10, 20)))).toEqual(block(20));
    expect(findAncestor(kept, node(...blocks(11, 20, 'b'), block(10)))).toEqual(block(10));
  });

  it('is null if even the final block differs', () => {
    expect(findAncestor(kept, node(...blocks(10, 20, 'b')))).toBeNull();
    expect(findAncestor([], node(block(1)))).toBeNull();
  });
});
