import { type Refusal, refuse } from './refusal.ts';

const wrapping = ' \t\r\n"\'`';

/** The text of a header that must be there once, without what stands around it. */
export function readHeaderText(
  name: string,
  value: string | readonly string[] | undefined,
): { readonly ok: true; readonly text: string } | Refusal {
  if (value === undefined) return refuse(`${name} is missing`);
  // Node joins a header that was sent twice with a comma, which no Base64 has.
  if (typeof value !== 'string' || value.includes(',')) return refuse(`${name} must be sent once`);
  const text = unwrap(value);
  return text === '' ? refuse(`${name} is empty`) : { ok: true, text };
}

/** Takes away the blanks and quotes around a text, which come from copying it out of a file or a shell. */
export function unwrap(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.includes(text.charAt(start))) start++;
  while (end > start && wrapping.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
