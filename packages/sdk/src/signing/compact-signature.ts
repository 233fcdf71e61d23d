import { decodeBase64 } from './base64.ts';
import { derTag, readDer, readDerSequence } from './der.ts';

/** Reads r and s, 32 bytes each, from a signature in Base64, which may be DER. Null if it is neither. */
export function readCompactSignature(signature: string): Uint8Array | null {
  const bytes = decodeBase64(signature);
  if (bytes?.length === 64) return bytes;
  const outer = bytes && readDer(bytes);
  if (outer?.tag !== derTag.sequence || outer.rest.length > 0) return null;
  const numbers = readDerSequence(outer.content);
  if (numbers?.length !== 2) return null;
  const compact = new Uint8Array(64);
  for (const [index, { tag, content }] of numbers.entries()) {
    // A zero before a number whose first bit is set.
    const digits = content[0] === 0 ? content.subarray(1) : content;
    if (tag !== derTag.integer || digits.length > 32) return null;
    compact.set(digits, 32 * (index + 1) - digits.length);
  }
  return compact;
}
