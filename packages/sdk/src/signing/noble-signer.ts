import { encodeBase64 } from './base64.ts';
import { readSecretKey } from './secret-key.ts';
import type { Signer } from './signer.ts';

/** Creates a signer for browsers and workers. Web Crypto does not support secp256k1. */
export function createSigner(secretKey: string | Uint8Array): Signer {
  const scalar = readSecretKey(secretKey);
  return {
    sign: async (payload) => {
      // Loaded with the first signature: a page that sends a token never needs it.
      const { secp256k1 } = await import('@noble/curves/secp256k1.js');
      return encodeBase64(secp256k1.sign(payload, scalar, { format: 'der', lowS: true }));
    },
  };
}
