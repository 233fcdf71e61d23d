import { expect, it } from 'vitest';
import { CsvLines } from './csv-lines.ts';

/** The columns of a row as PostgreSQL sends them: for each its length in four bytes, then its text. */
function makeRow(cells: readonly (string | null)[]): Buffer {
  return Buffer.concat(
    cells.flatMap((cell) => {
      const text = Buffer.from(cell ?? '');
      const length = Buffer.alloc(4);
      length.writeInt32BE(cell === null ? -1 : text.length);
      return [length, text];
    }),
  );
}

function write(lines: CsvLines, ...rows: (string | null)[][]): string {
  for (const cells of rows) {
    const row = Buffer.concat([Buffer.from('before'), makeRow(cells), Buffer.from('after')]);
    lines.addRow(row, 'before'.length, row.length - 'after'.length);
  }
  return lines.take().toString();
}

it('writes plain columns unchanged, and neutralizes texts', () => {
  const lines = new CsvLines(['plain', 'text', 'text']);
  expect(write(lines, ['-5', '-5', 'a,b'], ['', '', 'Zoë'])).toBe(`-5,'-5,"a,b"\r\n,,Zoë\r\n`);
  expect(write(lines, [null, null, '=1'])).toBe(`,,'=1\r\n`);
  expect(write(lines)).toBe('');
});

it.each([
  ['2026-11-15 01:50:25.123+00', '2026-11-15T01:50:25.123Z'],
  ['2026-11-15 01:50:25.12+00', '2026-11-15T01:50:25.120Z'],
  ['2026-11-15 01:50:25.1+00', '2026-11-15T01:50:25.100Z'],
  ['2026-11-15 01:50:25+00', '2026-11-15T01:50:25.000Z'],
])('writes the time %s as %s', (given, written) => {
  expect(write(new CsvLines(['time']), [given])).toBe(`${written}\r\n`);
});

it('has room for any number of rows, and for texts that become longer', () => {
  const row = ['2026-11-15 01:50:25+00', '"'.repeat(2_000), 'x'.repeat(2_000)];
  const lines = new CsvLines(['time', 'text', 'plain']);
  const line = `2026-11-15T01:50:25.000Z,"${'""'.repeat(2_000)}",${'x'.repeat(2_000)}\r\n`;
  expect(write(lines, ...Array(500).fill(row)) === line.repeat(500)).toBe(true);
});

it('refuses a time that JSON could not have either', () => {
  expect(() => write(new CsvLines(['time']), ['infinity'])).toThrow(RangeError);
});
