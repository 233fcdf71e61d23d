/** Creates a LIKE pattern for values that contain the text literally. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
