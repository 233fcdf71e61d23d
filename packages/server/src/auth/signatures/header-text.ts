import { rejectSignature, type SignatureRejection } from '../../lib/errors/rejection.ts';

const wrapping = ' \t\r\n"\'`';

/** Reads a header that must be sent exactly once. Surrounding whitespace and quotes are removed. */
export function readHeaderText(
  name: string,
  value: string | readonly string[] | undefined,
  malformed: 'API_KEY_MALFORMED' | 'SIGNATURE_MALFORMED',
): { readonly ok: true; readonly text: string } | SignatureRejection {
  if (value === undefined) return rejectSignature('CREDENTIALS_MISSING', `${name} is missing`);
  // Node joins the values of a repeated header with a comma, which does not occur in Base64.
  if (typeof value !== 'string' || value.includes(','))
    return rejectSignature(malformed, `${name} must be sent once`);
  const text = unwrap(value);
  return text === '' ? rejectSignature(malformed, `${name} is empty`) : { ok: true, text };
}

/** Removes whitespace and quotes around a text, which remain when it is copied from a file or a shell. */
export function unwrap(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.includes(text.charAt(start))) start++;
  while (end > start && wrapping.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
