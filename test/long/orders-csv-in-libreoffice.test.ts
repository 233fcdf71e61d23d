import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportHostileTexts, hostileTexts, separators } from '../support/hostile-csv-texts.ts';
import { needs } from '../support/requirements.ts';
import { openStorefront } from '../support/storefront.ts';

const { holder, sql } = await openStorefront();

let file: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-csv-'));
  file = await exportHostileTexts(holder, sql);
});
afterAll(() => rmSync(folder, { recursive: true }));

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
        hostileTexts.map((text) => `x${separator}${text}${separator}-12.5\n`).join(''),
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
