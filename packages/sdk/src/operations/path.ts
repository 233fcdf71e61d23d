/** Writes a path whose values are encoded. A value that would lead elsewhere is refused before it does. */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((start, text, at) => start + encodeSegment(values[at - 1]) + text);
}

function encodeSegment(value: string | undefined): string {
  // An address with nothing, one dot or two in place of an id is that of another operation.
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError('The id must not be empty');
  return encodeURIComponent(value);
}
