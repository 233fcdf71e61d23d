import { expect, it } from 'vitest';
import {
  readDay,
  readId,
  readList,
  readNumber,
  readOneOf,
  readText,
  readTokenId,
  removeAbsent,
} from './read-filter.ts';

it('takes what is valid from a URL, and leaves out the rest', () => {
  expect(readText('a'.repeat(500))).toHaveLength(200);
  expect(readText(12)).toBe('12');
  expect(readText({})).toBeUndefined();
  expect(readOneOf(['true', 'false'], true)).toBe('true');
  expect(readOneOf(['PAID'], 'paid')).toBeUndefined();
  expect(readDay('2026-11-16')).toBe('2026-11-16');
  expect(readDay('2026-11-16T00:00:00Z')).toBeUndefined();
  expect(readDay('2026-99-99')).toBeUndefined();
  expect(readDay('2026-02-31')).toBeUndefined();
  expect(readDay('0001-01-01')).toBeUndefined();
  expect(readId('019a8f3e-7c00-7000-8000-000000000301')).toBe('019a8f3e-7c00-7000-8000-000000000301');
  expect(readId('<script>')).toBeUndefined();
  expect(readTokenId(1001)).toBe('1001');
  expect(readTokenId('-1')).toBeUndefined();
  expect([readNumber('12,5', 100), readNumber(0, 100), readNumber('12.', 100)]).toEqual([12.5, 0, 12]);
  for (const value of ['', '-1', '101', 'x', {}, '1e1']) expect(readNumber(value, 100)).toBeUndefined();
  expect(readList(' calm ,happy,,calm')).toBe('calm,happy');
  expect(readList(' , ')).toBeUndefined();
  expect(readOneOf(['createdAt:desc'], '__proto__')).toBeUndefined();
  expect(removeAbsent({ a: '', b: undefined, c: null, d: 'x', e: 0 })).toEqual({ d: 'x', e: 0 });
});
