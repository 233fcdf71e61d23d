/**
 * How a text is written into a CSV file. The file is opened by spreadsheets, which run a cell as a formula, and which may split
 * lines at another separator than the comma: many use the semicolon or the tab. Quotes do not help then, because a quote in the
 * middle of a line is an ordinary character.
 *
 * So there is one rule for every place where some spreadsheet may start a cell: an apostrophe precedes each character that starts a
 * formula at the start of the text, or after a separator, a line break or a quote, with or without spaces in between. Numbers are
 * never written as text, so a negative number stays a number.
 *
 * The command line applies the same rule to workbooks; a test compares both.
 */
const separators = '[,;|"\\t\\r\\n]';
const spaces = '[ \u00a0\u3000\ufeff]*';
/** The last four are the full-width forms, which East Asian spreadsheets accept. Tab and CR are stripped by some. */
const formulaStart = '[=+@\\t\\r\uff1d\uff0b\uff0d\uff20-]';
const cellStart = `(?:^|${separators})${spaces}`;

/** Composes the SQL of a CSV cell: neutralizes formulas, and quotes a text that contains a separator of any kind. */
export function composeCsvText(column: string): string {
  const neutral = `regexp_replace(${column}, '(?<=${cellStart})(?=${formulaStart})', '''', 'g')`;
  // Most texts have no separator, and can start a formula only at their beginning. One test finds the others, because each
  // regular expression costs about a microsecond for each order.
  return `(CASE WHEN ${column} !~ '${separators}|^${spaces}${formulaStart}' THEN ${column}
    WHEN ${column} ~ '${separators}' THEN '"' || replace(${neutral}, '"', '""') || '"'
    ELSE ${neutral} END)`;
}
