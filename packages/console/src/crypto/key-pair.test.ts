import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeKeyPair } from './key-pair.ts';

const decode = (text: string) => Buffer.from(text, 'base64').toString('utf8');

it('makes a key pair that other programs read as the same key', () => {
  const { publicKey, secretKey } = makeKeyPair();
  const secret = createPrivateKey(decode(secretKey));
  expect(secret.asymmetricKeyDetails).toEqual({ namedCurve: 'secp256k1' });
  // Exactly what OpenSSL writes.
  expect(secret.export({ type: 'pkcs8', format: 'pem' })).toBe(decode(secretKey));
  expect(createPublicKey(secret).export({ type: 'spki', format: 'pem' })).toBe(decode(publicKey));
  expect(makeKeyPair().secretKey).not.toBe(secretKey);
});
