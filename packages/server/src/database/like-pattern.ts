/** A pattern for LIKE that matches text which contains this, taken literally. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
