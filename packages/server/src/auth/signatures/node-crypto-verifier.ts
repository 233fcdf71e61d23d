import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PublicKey } from './public-key.ts';
import type { SignatureVerifier } from './verifier.ts';

/** Runs wherever Node does. It hashes the payload itself: node:crypto takes no hash that was made elsewhere. */
export function createNodeCryptoVerifier(): SignatureVerifier {
  const keyObjects = new WeakMap<PublicKey, KeyObject>();

  function keyObject(key: PublicKey): KeyObject {
    const known = keyObjects.get(key);
    if (known) return known;
    const made = createPublicKey({ key: key.spki, format: 'der', type: 'spki' });
    keyObjects.set(key, made);
    return made;
  }

  return {
    name: 'node:crypto',
    verify: (payload, signature, key) =>
      verify('sha256', payload.bytes, { key: keyObject(key), dsaEncoding: 'ieee-p1363' }, signature),
  };
}
