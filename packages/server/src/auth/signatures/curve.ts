import { ECDH } from 'node:crypto';

const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

/** SEC 1, section 2.3.3. OpenSSL also accepts the hybrid forms 06 and 07, a third spelling that nobody needs. */
const pointLengths: Readonly<Record<number, number>> = { 2: 33, 3: 33, 4: 65 };

/** The uncompressed form of a compressed or uncompressed point of secp256k1. Null if it is not on the curve. */
export function decodePoint(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length !== pointLengths[bytes[0] ?? 0]) return null;
  try {
    // Without an output encoding it returns a Buffer, which the type definitions do not say.
    return ECDH.convertKey(bytes, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  } catch {
    return null;
  }
}

/** Whether the 32 bytes from `start` on are a number from 1 to n-1, where n is the order of the curve. */
export function isScalar(bytes: Uint8Array, start: number): boolean {
  let isZero = true;
  let isBelow = false;
  for (let at = 0; at < order.length; at++) {
    const byte = bytes[start + at] ?? 0;
    const bound = order[at] ?? 0;
    // As long as it is not below, all bytes so far are equal.
    if (!isBelow && byte > bound) return false;
    isBelow ||= byte < bound;
    isZero &&= byte === 0;
    if (isBelow && !isZero) return true;
  }
  return false;
}
