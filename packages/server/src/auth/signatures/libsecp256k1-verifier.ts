import { createRequire } from 'node:module';
import type { SignatureVerifier } from './verifier.ts';

type Secp256k1 = typeof import('secp256k1');

const require = createRequire(import.meta.url);

/** Null where the native library has no binary for this platform. */
export function loadLibsecp256k1Verifier(): SignatureVerifier | null {
  const library = loadLibrary();
  return library && { name: 'libsecp256k1', verify: verifyWith(library) };
}

function loadLibrary(): Secp256k1 | null {
  try {
    // Not the package's main file: that one falls back to `elliptic`, which must never decide who is let in.
    return require('secp256k1/bindings');
  } catch {
    return null;
  }
}

function verifyWith(library: Secp256k1): SignatureVerifier['verify'] {
  return (payload, signature, key) => {
    try {
      // The library holds a high s for invalid. It makes it low in place, which is the same signature.
      return library.ecdsaVerify(library.signatureNormalize(signature), payload.digest, key.point);
    } catch {
      // It throws on numbers beyond the order of the curve.
      return false;
    }
  };
}
