import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { usageError } from '../cli-error.ts';

const curve = 'secp256k1';

/**
 * Reads a secret key in any common form: PEM, Base64 of PEM, or DER as bytes or Base64. Errors begin with `name`, and never
 * quote the key. `otherForm` is what the caller has looked for before.
 */
export function readSecretKey(
  content: string | Uint8Array,
  name = 'The secret key',
  otherForm?: string,
): KeyObject {
  const bytes = typeof content === 'string' ? Buffer.from(content.trim()) : Buffer.from(content);
  const text = bytes.toString('latin1').trim();
  if (/-----BEGIN (?:EC )?PUBLIC KEY-----/.test(text) || /-----BEGIN PUBLIC KEY-----/.test(decode(text))) {
    throw usageError(`${name} is a public key. Use the private key of the pair.`);
  }
  const key = secretKeyForms(bytes, text).reduce<KeyObject | null>(
    (found, form) => found ?? tryPrivateKey(form),
    null,
  );
  if (key === null) {
    throw usageError(
      `${name} is not a private key in PEM, Base64 of PEM, or DER${otherForm ? `, nor ${otherForm}` : ''}. Check that it is complete.`,
    );
  }
  requireCurve(key, name);
  return key;
}

/** Reads a public key in the form of `x-auth-apikey` (Base64 of PEM), PEM or DER. Errors begin with `name`. */
export function readApiKey(content: string, name = 'The API key'): KeyObject {
  const text = content.trim().replace(/^(["'])(.*)\1$/s, '$2');
  const decoded = decode(text);
  // Node silently derives the public key from a private key.
  if (`${text}${decoded}`.includes('PRIVATE KEY')) {
    throw usageError(`${name} is a private key. Use the public key; never send the private key.`);
  }
  const der = Buffer.from(text, 'base64');
  const key =
    tryPublicKey(text) ?? tryPublicKey(decoded) ?? tryPublicKey({ key: der, format: 'der', type: 'spki' });
  if (key === null)
    throw usageError(`${name} is not a public key in PEM, Base64 of PEM, or DER. Check that it is complete.`);
  requireCurve(key, name);
  return key;
}

/** Derives the API key from a secret key. */
export function apiKeyOf(secretKey: KeyObject): string {
  return encodePublicKey(createPublicKey(secretKey));
}

/** Encodes a public key for `x-auth-apikey`. */
export function encodePublicKey(publicKey: KeyObject): string {
  return toBase64(publicKey.export({ type: 'spki', format: 'pem' }));
}

/** Encodes a secret key for profiles: Base64 of PEM (PKCS#8). */
export function encodeSecretKey(secretKey: KeyObject): string {
  return toBase64(secretKey.export({ type: 'pkcs8', format: 'pem' }));
}

export const otherPair = 'The secret key does not match the API key. Use both keys of the same pair.';

/** Whether the two keys belong to the same pair. */
export function isKeyPair(apiKey: KeyObject, secretKey: KeyObject): boolean {
  return createPublicKey(secretKey).equals(apiKey);
}

type KeyForm = Parameters<typeof createPrivateKey>[0];

function secretKeyForms(bytes: Buffer, text: string): KeyForm[] {
  const der = [bytes, Buffer.from(text, 'base64')].filter((each) => each[0] === 0x30);
  return [
    text,
    decode(text),
    ...der.map((key) => ({ key, format: 'der', type: 'pkcs8' }) as const),
    ...der.map((key) => ({ key, format: 'der', type: 'sec1' }) as const),
  ];
}

function tryPrivateKey(form: KeyForm): KeyObject | null {
  try {
    return createPrivateKey(form);
  } catch {
    return null;
  }
}

function tryPublicKey(form: Parameters<typeof createPublicKey>[0]): KeyObject | null {
  try {
    return createPublicKey(form);
  } catch {
    return null;
  }
}

function requireCurve(key: KeyObject, name: string): void {
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve) return;
  throw usageError(`${name} is not a ${curve} key. Create a pair with \`keyfront keys create\`.`);
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

function toBase64(pem: string | Buffer): string {
  return Buffer.from(pem).toString('base64');
}
