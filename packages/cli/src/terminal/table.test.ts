import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Column, formatTable } from './table.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly time: string;
}

const columns: Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name, minWidth: 5 },
  { title: 'TIME', cell: ({ time }) => time, shortCell: ({ time }) => time.slice(0, 4), leaveOutRank: 1 },
];
const rows = [
  { id: '1', name: 'A long name', time: '2026-11-15' },
  { id: '22', name: 'B\u001b[31m', time: '2025-01-01' },
];

function format(width?: number): string[] {
  const output = Object.assign(new PassThrough(), width === undefined ? {} : { isTTY: true, columns: width });
  const lines = formatTable(columns, rows, output).split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width ?? 80);
  return lines;
}

describe('formatTable', () => {
  it('shows complete cells, without control characters, where the output is not a terminal', () => {
    expect(format()).toEqual([
      'ID  NAME         TIME',
      '1   A long name  2026-11-15',
      '22  B [31m       2025-01-01',
      '',
    ]);
  });

  it('shows complete cells if they fit', () => {
    expect(format(27)).toEqual(format());
  });

  it('shortens cells first', () => {
    expect(format(26)).toEqual([
      'ID  NAME         TIME',
      '1   A long name  2026',
      '22  B [31m       2025',
      '',
    ]);
  });

  it('then cuts columns to their minimal width', () => {
    expect(format(16)).toEqual(['ID  NAME    TIME', '1   A lon…  2026', '22  B [31m  2025', '']);
  });

  it('then leaves columns out', () => {
    expect(format(14)).toEqual(['ID  NAME', '1   A long na…', '22  B [31m', '']);
  });
});
