import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

type Secp256k1 = typeof import('secp256k1');
// The main file of the package may fall back to JavaScript. The bindings are always native.
const secp256k1: Secp256k1 = createRequire(import.meta.url)('secp256k1/bindings');

/** Signs requests as a holder's storefront does. */
export interface Signer {
  /** The value of the `x-auth-apikey` header. */
  readonly apiKey: string;
  /** SubjectPublicKeyInfo in DER, as the service stores it. */
  readonly publicKey: Buffer;
  /** The public key as an uncompressed point. */
  readonly point: Uint8Array;
  /** Returns a value of the `x-auth-signature` header. Every call returns a new signature, also for the same digest. */
  sign(digest: Uint8Array): string;
  /** Returns the 64 bytes of r and s in Base64. */
  signCompact(digest: Uint8Array): string;
}

/** Creates a signer with a new key pair. */
export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const { d } = privateKey.export({ format: 'jwk' });
  const secret = Buffer.from(d ?? '', 'base64url');
  const signDigest = (digest: Uint8Array) =>
    secp256k1.ecdsaSign(digest, secret, { data: randomBytes(32) }).signature;
  return {
    apiKey: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
    publicKey: spki,
    point: spki.subarray(-65),
    sign: (digest) => Buffer.from(secp256k1.signatureExport(signDigest(digest))).toString('base64'),
    signCompact: (digest) => Buffer.from(signDigest(digest)).toString('base64'),
  };
}
