import { readPublicKey } from './public-key.ts';
import type { SecretKeySigner } from './signer.ts';

/** Rejects keys that are not a pair. The service could only say that the signature is wrong: it does not have the secret key. */
export async function requireKeyPair(apiKey: string, signer: SecretKeySigner): Promise<void> {
  const point = readPublicKey(apiKey);
  // The service explains what is wrong with a key that cannot be read.
  if (!point) return;
  const own = await signer.readPublicKey({ isCompressed: point.length === 33 });
  if (own.length === point.length && own.every((byte, at) => byte === point[at])) return;
  throw new TypeError('secretKey does not match apiKey: pass both keys of the same pair');
}
