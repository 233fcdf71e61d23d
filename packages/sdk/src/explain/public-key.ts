import { derTag, readDer, readDerSequence } from '../signing/der.ts';
import { unwrapKey } from '../signing/key-bytes.ts';
import { isCurve, isEcKey } from '../signing/object-identifiers.ts';

/** The point of a public key as it stands in SPKI; null for what is no key of the curve. */
export function readPublicKey(apiKey: string): Uint8Array | null {
  const spki = readDer(unwrapKey(apiKey)?.der ?? new Uint8Array());
  const [algorithm, point] = (spki?.tag === derTag.sequence && readDerSequence(spki.content)) || [];
  if (algorithm?.tag !== derTag.sequence || point?.tag !== derTag.bitString) return null;
  const [kind, curve] = readDerSequence(algorithm.content) ?? [];
  if (!kind || !isEcKey(kind) || !curve || !isCurve(curve)) return null;
  // The first byte says how many bits of the last one are unused; a point uses all of them.
  return point.content.subarray(1);
}
