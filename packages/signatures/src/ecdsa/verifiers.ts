import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import type { HashedPayload } from './hashed-payload.ts';
import type { PublicKey } from './spki.ts';

/**
 * Verifies an ECDSA signature on secp256k1. `signature` is r and s, 32 bytes each, and may be changed in place. Both a high
 * and a low s are valid.
 */
export type SignatureVerifier = (payload: HashedPayload, signature: Uint8Array, key: PublicKey) => boolean;

/** The fastest verifier that runs on this platform. */
export function loadFastestVerifier(): SignatureVerifier {
  return loadLibsecp256k1Verifier() ?? verifyWithNodeCrypto;
}

/** Null if there is no binary of the native library for this platform. */
export function loadLibsecp256k1Verifier(): SignatureVerifier | null {
  const library = loadLibsecp256k1();
  if (!library) return null;
  return (payload, signature, key) => {
    try {
      // The library rejects a high s. Normalising turns it into the equivalent low s, in place.
      return library.ecdsaVerify(library.signatureNormalize(signature), payload.digest, key.point);
    } catch {
      // The library throws if r or s is not below the order of the curve.
      return false;
    }
  };
}

function loadLibsecp256k1(): typeof import('secp256k1') | null {
  try {
    // Not the main file of the package: it falls back to `elliptic`, which must never authenticate anybody.
    return createRequire(import.meta.url)('secp256k1/bindings');
  } catch {
    return null;
  }
}

const keyObjects = new WeakMap<PublicKey, KeyObject>();

/** Runs wherever Node does. It hashes the payload itself, because node:crypto does not accept a finished hash. */
export const verifyWithNodeCrypto: SignatureVerifier = (payload, signature, key) =>
  verify(payload.hashName, payload.bytes, { key: getKeyObject(key), dsaEncoding: 'ieee-p1363' }, signature);

function getKeyObject(key: PublicKey): KeyObject {
  const cached = keyObjects.get(key);
  if (cached) return cached;
  const created = createPublicKey({ key: key.spki, format: 'der', type: 'spki' });
  keyObjects.set(key, created);
  return created;
}
