import { validationFailed } from '../../api-error.ts';
import { parsePublicKey } from '../../auth/signatures/public-key.ts';

/** What goes into `x-auth-apikey`: Base64 of the PEM. */
export function encodePublicKey(spki: Buffer): string {
  const lines = spki.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`;
  return Buffer.from(pem).toString('base64');
}

/** The DER of a public key that a builder hands in, in any form that the header takes too. */
export function readPublicKey(text: string): Buffer {
  const result = parsePublicKey(text);
  if (!result.ok) throw validationFailed([`publicKey ${result.reason}`]);
  return result.key.spki;
}
