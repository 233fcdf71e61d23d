import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCsvCell, writeCsvText } from '../packages/postgres/src/csv/csv-text.ts';
import { neutralizeFormulas } from '../packages/sdk/src/xlsx/neutralize-formulas.ts';
import { composeCsvText } from './support/csv-in-sql.ts';
import {
  exportHostileTexts,
  hostileTexts,
  invisibleCharacters,
  lineBreaks,
  separators,
} from './support/hostile-csv-texts.ts';
import { readCsv } from './support/read-csv.ts';
import { openStorefront } from './support/storefront.ts';

const { holder, sql } = await openStorefront();

const formulaStarts = [...'=+-@\t\r＝＋－＠﹦﹢﹣﹫−'];
/** Everything that a spreadsheet might skip at the start of a cell. */
const skipped = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

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

const lineEnds = new RegExp(`\r\n|[\r\n${lineBreaks.join('')}]`);

/** The cells of every way to read the text: with quotes and without, by each separator. */
function listCells(text: string): string[] {
  const lines = text.split(lineEnds);
  return Object.values(separators).flatMap((separator) => [
    ...readLikeSpreadsheet(text, separator),
    ...lines.flatMap((line) => line.split(separator)),
    ...lines.flatMap((line) => line.replaceAll('"', '').split(separator)),
  ]);
}

const isFormula = (cell: string) => {
  const starts = [...cell].findIndex((character) => !skipped.test(character));
  // Tab and CR are skipped by some, and start a formula for others.
  return [...cell]
    .slice(0, starts === -1 ? undefined : starts + 1)
    .some((character) => formulaStarts.includes(character));
};

const writeAsCsv = (texts: readonly string[]) =>
  texts.map((text) => {
    const bytes = Buffer.from(text);
    return isCsvCell(bytes, 0, bytes.length) ? text : writeCsvText(text);
  });

const writeInSql = async (texts: readonly string[]) =>
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

  it('quotes a cell with a separator of any kind', () => {
    const texts = ['a,b', 'a;b', 'a|b', 'a\tb', 'a\nb', 'a\rb', 'a"b'];
    expect(writeAsCsv(texts)).toEqual(texts.map((text) => `"${text.replace('"', '""')}"`));
    const plain = ['Ada', "O'Hara", 'a-b', 'x@y.z', 'Jean - Luc', '1=2', 'a:b', ''];
    expect(writeAsCsv(plain)).toEqual(plain);
  });

  it('sees a formula behind every character that has no shape', { tags: ['long'] }, async () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
      .filter((character) => skipped.test(character));
    const texts = characters.map((character) => `${character}=1`);
    const cells = writeAsCsv(texts);
    expect(cells).toEqual(await writeInSql(texts));
    const read = readCsv(`${cells.join('\r\n')}\r\n`).map(([cell]) => cell);
    expect(read).toEqual(texts.map(neutralizeFormulas));
    expect(read.filter((cell) => !cell?.endsWith("'=1"))).toEqual([]);
  });

  it('writes the same as SQL behind every character of the first plane', { tags: ['long'] }, async () => {
    const texts = Array.from({ length: 0xffff }, (_, index) => index + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .flatMap((code) => [`${String.fromCodePoint(code)}=1`, `a${String.fromCodePoint(code)}-1`]);
    expect(writeAsCsv(texts)).toEqual(await writeInSql(texts));
  });

  it('neutralizes any text as the command line does in a workbook', async () => {
    const unit = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(...formulaStarts, ...Object.values(separators), ...'"\n '),
      },
      { weight: 2, arbitrary: fc.constantFrom(...invisibleCharacters, ...lineBreaks) },
      { weight: 2, arbitrary: fc.constantFrom(..."a1'(") },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    );
    const text = fc.string({ unit, maxLength: 12 }).filter((each) => !/[\0\ud800-\udfff]/.test(each));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 200, maxLength: 300 }), async (texts) => {
        const cells = writeAsCsv(texts);
        expect(cells).toEqual(await writeInSql(texts));
        const read = readCsv(`${cells.join('\r\n')}\r\n`).map(([cell]) => cell);
        expect(read).toEqual(texts.map(neutralizeFormulas));
        expect(listCells(cells.map((cell) => `x,${cell},x\r\n`).join('')).filter(isFormula)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
