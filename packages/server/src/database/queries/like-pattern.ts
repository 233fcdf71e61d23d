/** Creates a LIKE pattern for values that contain the text literally. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Composes the SQL that compares an e-mail address with a text. The index looks for a few characters before the `@` only. The
 * time grows with their number, and thousands of addresses have the same domain: to look for the whole text takes up to ten times as
 * long. `text` and `part` are placeholders for the patterns of both.
 */
export const composeEmailMatch = (column: string, text: string, part: string): string =>
  // Concatenated, so that the index is not used for it.
  `(${column} ILIKE ${part} AND ${column} || '' ILIKE ${text})`;

/** Letters and digits, because the index knows nothing of other characters. Fewer of them, as in `info@`, tell little. */
const distinctivePart = /[\p{L}\p{N}]{5}@/u;

/** Creates the pattern for the part of an e-mail address that tells it from others, or for the whole text. */
export function addressPattern(text: string): string {
  return likePattern(distinctivePart.exec(text)?.[0] ?? text);
}
