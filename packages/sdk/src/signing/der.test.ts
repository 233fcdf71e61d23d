import { expect, it } from 'vitest';
import { readDer, readDerSequence } from './der.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

it('reads a value and returns the rest', () => {
  expect(readDer(bytes('020105ff'))).toEqual({ tag: 2, content: bytes('05'), rest: bytes('ff') });
});

it('reads lengths of one, two and three bytes', () => {
  expect(readDer(bytes(`047f${'aa'.repeat(127)}`))?.content).toHaveLength(127);
  expect(readDer(bytes(`048180${'aa'.repeat(128)}`))?.content).toHaveLength(128);
  expect(readDer(bytes(`04820100${'aa'.repeat(256)}`))?.content).toHaveLength(256);
});

it.each(['', '02', '0205aa', '0480aa0000', '04810100', '0482007f', '0483000001aa'])('rejects %j', (hex) => {
  expect(readDer(bytes(hex))).toBeNull();
});

it('reads all values or none', () => {
  expect(readDerSequence(bytes('020101020102'))?.map(({ content }) => content[0])).toEqual([1, 2]);
  expect(readDerSequence(bytes('0201010201'))).toBeNull();
  expect(readDerSequence(bytes(''))).toEqual([]);
});
