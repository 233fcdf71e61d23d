import { derTag, readDer, readDerSequence } from './der.ts';
import { unwrapKey } from './key-bytes.ts';
import { curveName, isCurve, isEcKey } from './object-identifiers.ts';

const expected = 'secretKey must be a secp256k1 private key: PEM, PKCS#8 or SEC1, optionally Base64-encoded';
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Reads the 32 bytes of a secret key. No error message contains any part of it. */
export function readSecretKey(secretKey: string | Uint8Array): Uint8Array {
  // JavaScript callers may pass anything.
  if (typeof secretKey !== 'string' && !(secretKey instanceof Uint8Array)) throw new TypeError(expected);
  const key = unwrapKey(secretKey);
  if (!key) throw new TypeError(expected);
  if (key.label?.includes('ENCRYPTED')) throw new TypeError('secretKey is encrypted: decrypt it first');
  if (key.label?.includes('PUBLIC KEY'))
    throw new TypeError('secretKey is a public key: pass the private key, the public key is the apiKey');
  const scalar = readPkcs8(key.der) ?? readSec1(key.der);
  if (!scalar || !isScalar(scalar)) throw new TypeError(expected);
  // A copy, so that the caller may overwrite their bytes.
  return scalar.slice();
}

function readPkcs8(der: Uint8Array): Uint8Array | null {
  const [version, algorithm, key] = readSequence(der);
  if (version?.tag !== derTag.integer || algorithm?.tag !== derTag.sequence) return null;
  if (key?.tag !== derTag.octetString) return null;
  const [kind, curve] = readDerSequence(algorithm.content) ?? [];
  if (!kind || !isEcKey(kind) || !curve || !isCurve(curve)) {
    throw new TypeError(`secretKey is not an elliptic-curve key of the curve ${curveName}`);
  }
  return readSec1(key.content);
}

function readSec1(der: Uint8Array): Uint8Array | null {
  const [version, scalar, ...others] = readSequence(der);
  if (version?.tag !== derTag.integer || version.content[0] !== 1) return null;
  if (scalar?.tag !== derTag.octetString) return null;
  const named = others.find(({ tag }) => tag === 0xa0);
  const curve = named && readDer(named.content);
  if (curve && !isCurve(curve)) {
    throw new TypeError(`secretKey is not a key of the curve ${curveName}`);
  }
  return scalar.content.length === 32 ? scalar.content : null;
}

function readSequence(der: Uint8Array) {
  const outer = readDer(der);
  if (outer?.tag !== derTag.sequence || outer.rest.length > 0) return [];
  return readDerSequence(outer.content) ?? [];
}

/** Whether the number of these bytes is from 1 to below the order of the curve. */
export function isScalar(bytes: Uint8Array): boolean {
  const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return number > 0n && number < order;
}
