import type { HashedPayload } from './hashed-payload.ts';

const shownCharacters = 200;

/** Describes a payload so that the caller recognises it: its beginning in printable ASCII, its length and its hash. */
export function describePayload(payload: HashedPayload): string {
  const { bytes } = payload;
  let shown = '';
  let count = 0;
  for (const byte of bytes.subarray(0, shownCharacters)) {
    const written = byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : escapeByte(byte);
    if (shown.length + written.length > shownCharacters) break;
    shown += written;
    count++;
  }
  const ellipsis = count < bytes.length ? '...' : '';
  return `${shown}${ellipsis} (${bytes.length} bytes, SHA-256 ${payload.digest.toString('hex')})`;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
