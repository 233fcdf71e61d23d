const alphabets = [/^[A-Za-z0-9+/]*={0,2}$/, /^[A-Za-z0-9_-]*={0,2}$/];

/** Decodes Base64 or base64url, with correct padding or none. Null for anything that no encoder writes. */
export function decodeBase64(text: string): Buffer | null {
  // The fast path: nearly all callers send padded Base64, which encodes to the same text again.
  const decoded = Buffer.from(text, 'base64');
  if (decoded.toString('base64') === text) return decoded;
  if (!alphabets.some((alphabet) => alphabet.test(text))) return null;
  const digits = text.replaceAll('=', '');
  if (digits.length !== text.length && text.length % 4 !== 0) return null;
  const bytes = Buffer.from(digits, 'base64url');
  // It encodes to the same text again, unless a digit is missing or bits are set that belong to no byte.
  return bytes.toString('base64url') === toUrlAlphabet(digits) ? bytes : null;
}

function toUrlAlphabet(digits: string): string {
  return digits.replaceAll('+', '-').replaceAll('/', '_');
}

const wrapping = ' \t\r\n"\'`';

/** Removes whitespace and quotes around a text, which remain when it is copied from a file or a shell. */
export function unwrap(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.includes(text.charAt(start))) start++;
  while (end > start && wrapping.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const hexText = /^(?:0x)?([0-9a-fA-F]{2})+$/;
// A shorter text of these characters may be Base64.
const minHexLength = 64;

/** Whether a text was probably meant as hex. All hex digits are Base64 characters as well. */
export function looksLikeHex(text: string): boolean {
  return text.length >= minHexLength && hexText.test(text);
}
