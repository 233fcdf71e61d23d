/**
 * Puts an apostrophe before each character that starts a formula at the start of the text, or after a separator, a line break or a
 * quote, with or without spaces in between. The service writes CSV files by the same rule. A cell of a workbook is a text whatever
 * it contains, but becomes a formula when the sheet is saved as CSV and opened again.
 */
export function neutralizeFormulas(text: string): string {
  return text.replaceAll(
    /(?<=(?:^|[,;|"\t\r\n])[ \u00a0\u3000\ufeff]*)(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/gu,
    "'",
  );
}
