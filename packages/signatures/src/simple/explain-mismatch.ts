import {
  listSigningMistakes,
  type MistakenRequest,
  type SignatureErrorCode,
  signingMistakes,
} from '@keyfront/protocol';
import { HashedPayload, type HashName } from '../ecdsa/hashed-payload.ts';

/** Hash functions that callers use in place of SHA-256, with their names in Node. */
const otherHashes: readonly (readonly [HashName, string])[] = [
  ['sha1', 'SHA-1'],
  ['sha384', 'SHA-384'],
  ['sha512', 'SHA-512'],
];

/** Finds out what was signed instead of the payload. Null if it is none of the common mistakes. */
export function findSigningMistake(
  request: Omit<MistakenRequest, 'payload' | 'sha256'>,
  correct: HashedPayload,
  isSigned: (payload: HashedPayload) => boolean,
): { readonly code: SignatureErrorCode; readonly hint: string } | null {
  const mistaken = { ...request, payload: correct.bytes, sha256: correct.digest };
  for (const { payload, code, hint } of listSigningMistakes(mistaken)) {
    if (isSigned(new HashedPayload(payload))) return { code, hint };
  }
  for (const [hashName, name] of otherHashes) {
    if (isSigned(new HashedPayload(correct.bytes, hashName)))
      return { code: 'SIGNED_OTHER_HASH', hint: signingMistakes.otherHash(name) };
  }
  return null;
}

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
