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
