import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PublicKey } from './public-key.ts';
import type { SignatureVerifier } from './verifier.ts';

/** Runs wherever Node does. It hashes the payload itself, because node:crypto does not accept a finished hash. */
export function createNodeCryptoVerifier(): SignatureVerifier {
  const keyObjects = new WeakMap<PublicKey, KeyObject>();

  function getKeyObject(key: PublicKey): KeyObject {
    const cached = keyObjects.get(key);
    if (cached) return cached;
    const created = createPublicKey({ key: key.spki, format: 'der', type: 'spki' });
    keyObjects.set(key, created);
    return created;
  }

  return {
    name: 'node:crypto',
    verify: (payload, signature, key) =>
      verify(
        payload.hashName,
        payload.bytes,
        { key: getKeyObject(key), dsaEncoding: 'ieee-p1363' },
        signature,
      ),
  };
}
