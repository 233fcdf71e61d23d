const alphabets = [/^[A-Za-z0-9+/]*={0,2}$/, /^[A-Za-z0-9_-]*={0,2}$/];

/** Decodes Base64 or base64url, padded rightly or not at all. Null for anything that an encoder does not write. */
export function decodeBase64(text: string): Buffer | null {
  // What nearly everybody sends is told by writing it again; only the rest is looked at closely.
  const usual = Buffer.from(text, 'base64');
  if (usual.toString('base64') === text) return usual;
  if (!alphabets.some((alphabet) => alphabet.test(text))) return null;
  const digits = text.replaceAll('=', '');
  if (digits.length !== text.length && text.length % 4 !== 0) return null;
  const bytes = Buffer.from(digits, 'base64url');
  // Written again it is the same, unless a digit is missing or bits are set that belong to no byte.
  return bytes.toString('base64url') === toUrlAlphabet(digits) ? bytes : null;
}

function toUrlAlphabet(digits: string): string {
  return digits.replaceAll('+', '-').replaceAll('/', '_');
}
