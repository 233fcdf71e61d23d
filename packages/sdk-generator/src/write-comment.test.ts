import { expect, it } from 'vitest';
import { endSentence, writeComment } from './write-comment.ts';

it('writes a short comment on one line', () => {
  expect(writeComment(['Id of the order'], '  ')).toBe('  /** Id of the order */\n');
});

it('writes nothing without a text', () => {
  expect(writeComment(['', ''])).toBe('');
});

it('separates paragraphs, but not tags', () => {
  expect(writeComment(['Price', '', '@defaultValue 1', "@example '12.50'"])).toBe(
    `/**
 * Price
 *
 * @defaultValue 1
 * @example '12.50'
 */
`,
  );
});

it('wraps long paragraphs', () => {
  const lines = writeComment(['word '.repeat(60).trim()], '  ')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
});

it('does not end early', () => {
  expect(writeComment(['a */ b'])).toBe('/** a *\\/ b */\n');
});

it.each([
  ['', ''],
  ['Text', 'Text.'],
  ['Text.', 'Text.'],
  ['Text!', 'Text!'],
])('ends %j as %j', (text, expected) => {
  expect(endSentence(text)).toBe(expected);
});
