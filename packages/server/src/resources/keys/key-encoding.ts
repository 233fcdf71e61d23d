import { type PublicKey, parsePublicKey } from '@keyfront/signatures';
import { validationFailed } from '../../lib/errors/api-error.ts';

/** Encodes a public key for `x-auth-apikey`: Base64 of its PEM text. */
export function encodePublicKey(spki: Buffer): string {
  const lines = spki.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`;
  return Buffer.from(pem).toString('base64');
}

/** Reads the public key of a request, or throws the 400. Accepts every form that `x-auth-apikey` accepts. */
export function readPublicKey(text: string): PublicKey {
  const result = parsePublicKey(text);
  if (!result.ok) throw validationFailed([`publicKey ${result.reason}`]);
  return result.key;
}
