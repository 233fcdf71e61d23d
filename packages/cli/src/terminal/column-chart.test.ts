import { describe, expect, it } from 'vitest';
import { drawColumnChart } from './column-chart.ts';

function draw(values: number[], width = 40, height = 2): string[] {
  return drawColumnChart({ values, ends: ['first', 'last'], formatValue: String, width, height });
}

describe('drawColumnChart', () => {
  it('draws columns with a precision of an eighth of a line', () => {
    expect(draw([0, 1, 8, 9, 16], 13)).toEqual(['16 ┤   ▁█', '   │ ▁███', ' 0 └─────', '    first last']);
  });

  it('uses the width with gaps between wide columns', () => {
    expect(draw([1, 2], 20, 1)).toEqual(['2 ┤▄▄▄▄▄ █████', '0 └────────────', '   first   last']);
  });

  it('shows every value above zero', () => {
    expect(draw([1000, 1], 9, 1)[0]).toBe('1000 ┤█▁');
  });

  it('adds neighbours up if not all columns fit', () => {
    const lines = draw(
      Array.from({ length: 1000 }, () => 1),
      80,
      3,
    );
    expect(lines[0]).toMatch(/^14 ┤█+/);
    expect(lines.at(-1)?.trim()).toBe('14 per column');
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('draws an empty chart', () => {
    expect(draw([], 20, 1)).toEqual(['0 ┤', '0 └', '   first']);
    expect(draw([0, 0], 20, 1)[0]).toBe('0 ┤');
  });
});
