/** Creates a LIKE pattern for values that contain the text literally. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** How many characters before the `@` the index looks for. With fewer than the minimum, the domain finds fewer addresses. */
const localLength = { min: 3, max: 5 };

/**
 * Composes the SQL that compares an e-mail address with a text. The index looks for a few characters up to the `@` only. The
 * time grows with their number, and thousands of addresses have the same domain: to look for the whole text takes up to ten times as
 * long. `text` and `part` are placeholders for the patterns of both.
 */
export const composeEmailMatch = (column: string, text: string, part: string): string =>
  // Concatenated, so that the index is not used for it.
  `(${column} ILIKE ${part} AND ${column} || '' ILIKE ${text})`;

/** Creates the pattern for the part of an e-mail address that tells it from others. */
export function localPartPattern(text: string): string {
  const end = text.indexOf('@');
  // Code points, because half of one matches nothing.
  const local = [...text.slice(0, Math.max(0, end))];
  if (local.length < localLength.min) return likePattern(text);
  return likePattern(`${local.slice(-localLength.max).join('')}@`);
}
