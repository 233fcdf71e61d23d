import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { hasColors } from './style.ts';

const terminal = Object.assign(new PassThrough(), { isTTY: true });
const pipe = new PassThrough();

it.each([
  [terminal, {}, true],
  [terminal, { NO_COLOR: '1' }, false],
  [terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [terminal, { TERM: 'dumb' }, false],
  [terminal, { FORCE_COLOR: '0' }, false],
  [pipe, {}, false],
  [pipe, { FORCE_COLOR: '1' }, true],
])('decides on colors: %#', (output, env, expected) => {
  expect(hasColors(output, env)).toBe(expected);
});
