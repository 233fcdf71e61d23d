import { describe, expect, it } from 'vitest';
import { drawColumns } from './draw-columns.ts';

function draw(values: number[], width = 40, height = 2): string[] {
  return drawColumns({ values, ends: ['first', 'last'], writeValue: String, width, height });
}

describe('columns', () => {
  it('are as high as their values, to an eighth of a line', () => {
    expect(draw([0, 1, 8, 9, 16], 13)).toEqual(['16 ┤   ▁█', '   │ ▁███', ' 0 └─────', '    first last']);
  });

  it('are wider where there is room, with a blank between them', () => {
    expect(draw([1, 2], 20, 1)).toEqual(['2 ┤▄▄▄▄▄ █████', '0 └────────────', '   first   last']);
  });

  it('show whatever is more than nothing', () => {
    expect(draw([1000, 1], 9, 1)[0]).toBe('1000 ┤█▁');
  });

  it('are added up with their neighbours where there are more than fit', () => {
    const lines = draw(
      Array.from({ length: 1000 }, () => 1),
      80,
      3,
    );
    expect(lines[0]).toMatch(/^14 ┤█+/);
    expect(lines.at(-1)?.trim()).toBe('14 to a column');
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('need no value at all', () => {
    expect(draw([], 20, 1)).toEqual(['0 ┤', '0 └', '   first']);
    expect(draw([0, 0], 20, 1)[0]).toBe('0 ┤');
  });
});
