import { encodeBase64 } from './base64.ts';
import { readSecretKey } from './secret-key.ts';
import type { SecretKeySigner } from './signer.ts';

/** Creates a signer for browsers and workers. Web Crypto does not support secp256k1. */
export function createSigner(secretKey: string | Uint8Array): SecretKeySigner {
  const scalar = readSecretKey(secretKey);
  // Loaded with the first signature: a page that sends a token never needs it.
  const load = () => import('@noble/curves/secp256k1.js');
  return {
    sign: async (payload) => {
      const { secp256k1 } = await load();
      return encodeBase64(secp256k1.sign(payload, scalar, { format: 'der', lowS: true }));
    },
    readPublicKey: async ({ isCompressed }) => {
      const { secp256k1 } = await load();
      return secp256k1.getPublicKey(scalar, isCompressed);
    },
  };
}
