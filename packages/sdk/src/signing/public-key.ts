import { derTag, readDer, readDerSequence } from './der.ts';
import { unwrapKey } from './key-bytes.ts';
import { isCurve, isEcKey } from './object-identifiers.ts';

/** Reads the point of a public key (SPKI); null if it is not a secp256k1 key. */
export function readPublicKey(apiKey: string): Uint8Array | null {
  const spki = readDer(unwrapKey(apiKey)?.der ?? new Uint8Array());
  const [algorithm, point] = (spki?.tag === derTag.sequence && readDerSequence(spki.content)) || [];
  if (algorithm?.tag !== derTag.sequence || point?.tag !== derTag.bitString) return null;
  const [kind, curve] = readDerSequence(algorithm.content) ?? [];
  if (!kind || !isEcKey(kind) || !curve || !isCurve(curve)) return null;
  // The first byte of a bit string is the number of unused bits, which is 0 for a point.
  return point.content.subarray(1);
}
