import { expect, it } from 'vitest';
import { readDay, readOneOf, readText, removeAbsent } from './read-filter.ts';

it('takes what is valid from a URL, and leaves out the rest', () => {
  expect(readText('a'.repeat(500))).toHaveLength(200);
  expect(readText(12)).toBe('12');
  expect(readText({})).toBeUndefined();
  expect(readOneOf(['true', 'false'], true)).toBe('true');
  expect(readOneOf(['PAID'], 'paid')).toBeUndefined();
  expect(readDay('2026-11-16')).toBe('2026-11-16');
  expect(readDay('2026-11-16T00:00:00Z')).toBeUndefined();
  expect(removeAbsent({ a: '', b: undefined, c: null, d: 'x', e: 0 })).toEqual({ d: 'x', e: 0 });
});
