import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { misuse } from '../failure.ts';

const curve = 'secp256k1';

/**
 * A secret key as people keep it: PEM, Base64 of PEM, or DER in Base64 or bytes. What is wrong with another text is said
 * without any part of it.
 */
export function readSecretKey(content: string | Uint8Array): KeyObject {
  const bytes = typeof content === 'string' ? Buffer.from(content.trim()) : Buffer.from(content);
  const text = bytes.toString('latin1').trim();
  if (/-----BEGIN (?:EC )?PUBLIC KEY-----/.test(text) || /-----BEGIN PUBLIC KEY-----/.test(decode(text))) {
    throw misuse('The secret key is a public key: take the other half of the pair');
  }
  const key = secretForms(bytes, text).reduce<KeyObject | null>((found, form) => found ?? tryKey(form), null);
  if (key === null) {
    throw misuse('The secret key is not a private key in PEM, Base64 of PEM, or DER: copy all of it');
  }
  requireCurve(key, 'secret key');
  return key;
}

/** A public key as it stands in `x-auth-apikey`: Base64 of its PEM. */
export function readApiKey(content: string): KeyObject {
  const text = content.trim().replace(/^(["'])(.*)\1$/s, '$2');
  const decoded = decode(text);
  // Node would take the public half out of a private key without a word.
  if (`${text}${decoded}`.includes('PRIVATE KEY')) {
    throw misuse(
      'The API key is a private key: the two keys are swapped, and the secret one must never be sent',
    );
  }
  const der = Buffer.from(text, 'base64');
  const key =
    tryPublicKey(text) ?? tryPublicKey(decoded) ?? tryPublicKey({ key: der, format: 'der', type: 'spki' });
  if (key === null) throw misuse('The API key is not Base64 of a public key in PEM: copy all of it');
  requireCurve(key, 'API key');
  return key;
}

/** The API key of a secret key. */
export function apiKeyOf(secretKey: KeyObject): string {
  return encodePublicKey(createPublicKey(secretKey));
}

/** A public key as it stands in `x-auth-apikey`. */
export function encodePublicKey(publicKey: KeyObject): string {
  return toBase64(publicKey.export({ type: 'spki', format: 'pem' }));
}

/** A secret key in the one form that profiles hold: Base64 of PEM (PKCS#8). */
export function encodeSecretKey(secretKey: KeyObject): string {
  return toBase64(secretKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** Whether the two keys are one pair. */
export function isPair(apiKey: KeyObject, secretKey: KeyObject): boolean {
  return createPublicKey(secretKey).equals(apiKey);
}

type KeyForm = Parameters<typeof createPrivateKey>[0];

function secretForms(bytes: Buffer, text: string): KeyForm[] {
  const der = [bytes, Buffer.from(text, 'base64')].filter((each) => each[0] === 0x30);
  return [
    text,
    decode(text),
    ...der.map((key) => ({ key, format: 'der', type: 'pkcs8' }) as const),
    ...der.map((key) => ({ key, format: 'der', type: 'sec1' }) as const),
  ];
}

function tryKey(form: KeyForm): KeyObject | null {
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

function requireCurve(key: KeyObject, what: string): void {
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve) return;
  throw misuse(
    `The ${what} is not on the curve ${curve}: make a pair there, as with \`keyfront keys create\``,
  );
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

function toBase64(pem: string | Buffer): string {
  return Buffer.from(pem).toString('base64');
}
