/** Base64 with its padding. */
export function encodeBase64(bytes: Uint8Array): string {
  // Piece by piece: a call takes only so many arguments.
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/** Reads Base64 and base64url, padded or not, also on several lines; null for anything else. */
export function decodeBase64(text: string): Uint8Array | null {
  const digits = text
    .replaceAll(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return null;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}
