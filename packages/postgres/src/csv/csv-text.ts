/**
 * How a text is written into a CSV file. The file is opened by spreadsheets, which run a cell as a formula, and which may split
 * lines at another separator than the comma: many use the semicolon or the tab. Quotes do not help then, because a quote in the
 * middle of a line is an ordinary character.
 *
 * So there is one rule for every place where some spreadsheet may start a cell: an apostrophe precedes each character that starts a
 * formula at the start of the text, or after a separator, a line break or a quote, with or without white space and invisible
 * characters in between. Numbers are never written as text, so a negative number stays a number.
 *
 * The command line applies the same rule to workbooks; a test compares both.
 */
const separators = '[,;|"\\t\\r\\n\\v\\f\\u001c-\\u001f\\u0085\\u2028\\u2029]';
/** White space and characters without a shape, which spreadsheets skip or do not show. */
const invisible = '[\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]*';
/** Also the minus sign and the full-width and small forms, which some spreadsheets accept. Tab and CR are stripped by some. */
const formulaStart = '[=+@\\t\\r\u2212\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20\\-]';
const beforeFormula = new RegExp(`(?<=(?:^|${separators})${invisible})(?=${formulaStart})`, 'gu');
const separator = new RegExp(separators);

/** Returns the CSV cell of a text: neutralizes formulas, and quotes a text that contains a separator of any kind. */
export function writeCsvText(text: string): string {
  const neutral = text.replaceAll(beforeFormula, "'");
  return separator.test(text) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}

/** Bytes of UTF-8 that may belong to a separator. C2 and E2 are the first bytes of those outside ASCII. */
const maySeparate = (byte: number): boolean =>
  byte < 0x80 ? separator.test(String.fromCharCode(byte)) : byte === 0xc2 || byte === 0xe2;

/** First bytes of letters and digits, of most scripts: not of anything that starts a formula or is invisible. */
const startsLetter = (byte: number): boolean =>
  /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ||
  (byte >= 0xc3 && byte <= 0xcc) ||
  (byte >= 0xd0 && byte <= 0xd7) ||
  (byte >= 0xe4 && byte <= 0xed);

const allBytes = Array.from({ length: 256 }, (_, byte) => byte);
const unsafe = Uint8Array.from(allBytes, (byte) => Number(maySeparate(byte)));
const unsafeFirst = Uint8Array.from(allBytes, (byte) => Number(maySeparate(byte) || !startsLetter(byte)));

/** Whether the text in these bytes of UTF-8 is its own CSV cell. False if that takes a closer look. */
export function isCsvCell(bytes: Uint8Array, start: number, end: number): boolean {
  if (start < end && unsafeFirst[bytes[start] as number] === 1) return false;
  for (let at = start + 1; at < end; at++) if (unsafe[bytes[at] as number] === 1) return false;
  return true;
}
