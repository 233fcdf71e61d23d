import { createRequire } from 'node:module';
import type { SignatureVerifier } from './verifier.ts';

type Secp256k1 = typeof import('secp256k1');

const require = createRequire(import.meta.url);

/** Null if there is no binary of the native library for this platform. */
export function loadLibsecp256k1Verifier(): SignatureVerifier | null {
  const library = loadLibrary();
  return library && { name: 'libsecp256k1', verify: verifyWith(library) };
}

function loadLibrary(): Secp256k1 | null {
  try {
    // Not the main file of the package: it falls back to `elliptic`, which must never authenticate anybody.
    return require('secp256k1/bindings');
  } catch {
    return null;
  }
}

function verifyWith(library: Secp256k1): SignatureVerifier['verify'] {
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
