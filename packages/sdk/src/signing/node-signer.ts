/// <reference types="node" />
import { createECDH, createPrivateKey, sign } from 'node:crypto';
import { readSecretKey } from './secret-key.ts';
import type { SecretKeySigner } from './signer.ts';

// The DER of a SEC1 private key before and after its 32 bytes. The part after them names the curve.
const beforeScalar = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x01, 0x04, 0x20);
const afterScalar = Uint8Array.of(0xa0, 0x07, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a);

/** Creates a signer that uses OpenSSL, which is part of Node. */
export function createSigner(secretKey: string | Uint8Array): SecretKeySigner {
  const scalar = readSecretKey(secretKey);
  const sec1 = Buffer.concat([beforeScalar, scalar, afterScalar]);
  const key = createPrivateKey({ key: sec1, format: 'der', type: 'sec1' });
  return {
    sign: async (payload) => sign('sha256', payload, key).toString('base64'),
    readPublicKey: async ({ isCompressed }) => {
      const pair = createECDH('secp256k1');
      pair.setPrivateKey(scalar);
      return pair.getPublicKey(null, isCompressed ? 'compressed' : 'uncompressed');
    },
  };
}
