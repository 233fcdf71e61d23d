/** Encodes bytes in Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  // In chunks, because the number of arguments of a call is limited.
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/** Decodes Base64 or base64url, with or without padding and line breaks; null for anything else. */
export function decodeBase64(text: string): Uint8Array | null {
  const digits = text
    .replaceAll(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return null;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}
