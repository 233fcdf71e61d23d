import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { neutralizeFormulas } from '../packages/sdk/src/xlsx/neutralize-formulas.ts';
import { composeCsvText } from '../packages/server/src/resources/orders/listing/csv-text-queries.ts';
import { exportHostileTexts, hostileTexts, separators } from './support/hostile-csv-texts.ts';
import { readCsv } from './support/read-csv.ts';
import { openStorefront } from './support/storefront.ts';

const { holder, sql } = await openStorefront();

const formulaStarts = [...'=+-@\t\r＝＋－＠'];

/** Reads CSV as a spreadsheet does that was told this separator: a quote counts only at the start of a cell. */
function readLikeSpreadsheet(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) {
        cell += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r')
      cell += text[at++];
    cells.push(cell);
    at++;
  }
  return cells;
}

/** The cells of every way to read the text: with quotes and without, by each separator. */
function listCells(text: string): string[] {
  return Object.values(separators).flatMap((separator) => [
    ...readLikeSpreadsheet(text, separator),
    ...text.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator)),
    ...text.split(/\r\n|\r|\n/).flatMap((line) => line.replaceAll('"', '').split(separator)),
  ]);
}

const isFormula = (cell: string) =>
  formulaStarts.includes(cell.replace(/^[ \u00a0\u3000\ufeff]+/, '')[0] ?? '');

const writeAsCsv = async (texts: readonly string[]) =>
  (
    await sql<{ cell: string }>(
      `SELECT ${composeCsvText('value')} AS cell FROM unnest($1::text[]) WITH ORDINALITY AS given (value, place) ORDER BY place`,
      [texts],
    )
  ).map(({ cell }) => cell);

let file: string;
beforeAll(async () => {
  file = await exportHostileTexts(holder, sql);
});

describe('the CSV file of orders in a spreadsheet', () => {
  it('has no cell that starts a formula, by whichever separator it is read', () => {
    expect(
      listCells(hostileTexts.map((text) => `${text}\r\n`).join('')).filter(isFormula).length,
    ).toBeGreaterThan(50);
    expect(listCells(file).filter(isFormula)).toEqual([]);
  });

  it('keeps every text as one cell, unchanged but for apostrophes', () => {
    const [, ...rows] = readCsv(file);
    expect(rows.map((row) => row[11])).toEqual(hostileTexts.map(neutralizeFormulas));
    for (const [index, row] of rows.entries()) {
      expect(row[11]?.replaceAll("'", '')).toBe(hostileTexts[index]?.replaceAll("'", ''));
    }
  });

  it('quotes a cell with a separator of any kind', async () => {
    const texts = ['a,b', 'a;b', 'a|b', 'a\tb', 'a\nb', 'a\rb', 'a"b'];
    expect(await writeAsCsv(texts)).toEqual(texts.map((text) => `"${text.replace('"', '""')}"`));
    const plain = ['Ada', "O'Hara", 'a-b', 'x@y.z', 'Jean - Luc', '1=2', 'a:b', ''];
    expect(await writeAsCsv(plain)).toEqual(plain);
  });

  it('neutralizes any text as the command line does in a workbook', async () => {
    const unit = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(...formulaStarts, ...Object.values(separators), ...'"\n \u00a0\u3000'),
      },
      { weight: 2, arbitrary: fc.constantFrom(..."a1'(") },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    );
    const text = fc.string({ unit, maxLength: 12 }).filter((each) => !/[\0\ud800-\udfff]/.test(each));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 200, maxLength: 300 }), async (texts) => {
        const cells = await writeAsCsv(texts);
        const read = readCsv(`${cells.join('\r\n')}\r\n`).map(([cell]) => cell);
        expect(read).toEqual(texts.map(neutralizeFormulas));
        expect(listCells(cells.map((cell) => `x,${cell},x\r\n`).join('')).filter(isFormula)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
