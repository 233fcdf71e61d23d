const separators = '[,;|"\\t\\r\\n\\v\\f\\u001c-\\u001f\\u0085\\u2028\\u2029]';
/** White space and characters without a shape, which spreadsheets skip or do not show. */
const invisible = '[\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]*';
const formulaStart = '[=+@\\t\\r\u2212\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20\\-]';
const beforeFormula = new RegExp(`(?<=(?:^|${separators})${invisible})(?=${formulaStart})`, 'gu');

/**
 * Puts an apostrophe before each character that starts a formula at the start of the text, or after a separator, a line break or a
 * quote, with or without white space and invisible characters in between. The service writes CSV files by the same rule. A cell of a
 * workbook is a text whatever it contains, but becomes a formula when the sheet is saved as CSV and opened again.
 */
export function neutralizeFormulas(text: string): string {
  return text.replaceAll(beforeFormula, "'");
}
