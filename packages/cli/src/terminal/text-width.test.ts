import { describe, expect, it } from 'vitest';
import { textWidth, truncate } from './text-width.ts';

describe('textWidth', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['店舗', 4],
    ['🛒', 2],
    ['👩‍👩‍👧', 2],
    ['', 0],
  ])('%j takes %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('truncate', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 4, 'abc…'],
    ['店舗の鍵', 5, '店舗…'],
    ['店舗の鍵', 4, '店…'],
  ])('cuts %j to %i columns', (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
    expect(textWidth(expected)).toBeLessThanOrEqual(width);
  });
});
