const ellipsis = '...';

/** Cuts a text that is longer than this many UTF-16 code units. A surrogate pair is not cut in two. */
export function shorten(text: string, maximumLength: number): string {
  if (text.length <= maximumLength) return text;
  return text.slice(0, maximumLength - ellipsis.length).replace(/[\uD800-\uDBFF]$/, '') + ellipsis;
}
