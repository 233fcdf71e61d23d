import { ECDH, hash } from 'node:crypto';
import { type Rejection, reject } from '../rejection.ts';
import { derTag, readDer } from './der.ts';

export interface PublicKey {
  /** DER SubjectPublicKeyInfo with the uncompressed point. It does not depend on the form in which the key was sent. */
  readonly spki: Buffer;
  /** SHA-256 of `spki` in hex. */
  readonly fingerprint: string;
  /** The uncompressed point, 65 bytes. */
  readonly point: Uint8Array;
}

export type PublicKeyResult = { readonly ok: true; readonly key: PublicKey } | Rejection;

export const privateKeyReason =
  'must be a public key: it is a private key, which must never be sent; replace the key, because it is no longer secret';
export const certificateReason = 'must be a public key: it is a certificate or a certificate request';
export const rsaReason = otherKind('an RSA key');

const uncompressedPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');
const compressedPrefix = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');
const ecPublicKey = '2a8648ce3d0201';
const secp256k1 = '2b8104000a';

const algorithmReasons: Readonly<Record<string, string>> = {
  '2a864886f70d010101': rsaReason,
  '2a864886f70d01010a': rsaReason,
  '2a864886f70d01050d': privateKeyReason,
  '2a8648ce380401': otherKind('a DSA key'),
  '2b656e': otherKind('an X25519 key'),
  '2b656f': otherKind('an X448 key'),
  '2b6570': otherKind('an Ed25519 key'),
  '2b6571': otherKind('an Ed448 key'),
};

const curveNames: Readonly<Record<string, string>> = {
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
};

/** Reads a DER SubjectPublicKeyInfo of secp256k1, with a compressed or an uncompressed point. */
export function readSpki(der: Uint8Array): PublicKeyResult {
  const encodedPoint = cutPrefix(der, uncompressedPrefix, 65) ?? cutPrefix(der, compressedPrefix, 33);
  if (!encodedPoint) return reject(explain(der));
  const point = decodePoint(encodedPoint);
  if (!point) return reject('must be a point on the curve secp256k1');
  const spki = Buffer.concat([uncompressedPrefix, point]);
  return { ok: true, key: { spki, fingerprint: hash('sha256', spki), point } };
}

function cutPrefix(der: Uint8Array, prefix: Buffer, pointLength: number): Uint8Array | null {
  const fits = der.length === prefix.length + pointLength && prefix.equals(der.subarray(0, prefix.length));
  return fits ? der.subarray(prefix.length) : null;
}

/** SEC 1, section 2.3.3. OpenSSL also accepts the hybrid forms 06 and 07, a third spelling that nobody needs. */
const pointLengths: Readonly<Record<number, number>> = { 2: 33, 3: 33, 4: 65 };

/** The uncompressed form of a compressed or uncompressed point of secp256k1. Null if it is not on the curve. */
export function decodePoint(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length !== pointLengths[bytes[0] ?? 0]) return null;
  try {
    // Without an output encoding it returns a Buffer, which the type definitions do not say.
    return ECDH.convertKey(bytes, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  } catch {
    return null;
  }
}

function otherKind(kind: string): string {
  return `must be a secp256k1 key: it is ${kind}`;
}

/** Explains what the bytes are if they are not the one form that is accepted. */
function explain(der: Uint8Array): string {
  const outer = readDer(der);
  if (outer?.tag !== derTag.sequence) return 'must be a DER SubjectPublicKeyInfo: it is damaged';
  if (outer.rest.length > 0) return 'must be a public key: other bytes follow it';
  const first = readDer(outer.content);
  if (first?.tag === derTag.integer) return explainNumber(first.content, outer.content);
  if (first?.tag !== derTag.sequence) return 'must be a DER SubjectPublicKeyInfo';
  const algorithm = readDer(first.content);
  if (algorithm?.tag === derTag.version || algorithm?.tag === derTag.integer) return certificateReason;
  if (algorithm?.tag !== derTag.objectIdentifier) return 'must be a DER SubjectPublicKeyInfo';
  const name = toHex(algorithm.content);
  if (name !== ecPublicKey) return algorithmReasons[name] ?? otherKind('a key of another kind');
  const curve = readDer(algorithm.rest);
  if (curve?.tag !== derTag.objectIdentifier)
    return 'must name the curve secp256k1 instead of listing its parameters';
  const curveId = toHex(curve.content);
  const curveName = curveNames[curveId];
  if (curveId !== secp256k1) return otherKind(curveName ? `on the curve ${curveName}` : 'on another curve');
  return 'must be a secp256k1 key in strict DER: its point has the wrong form or length';
}

/** Explains a sequence that begins with a number: a version in private keys, a modulus in RSA keys, r in signatures. */
function explainNumber(number: Uint8Array, content: Uint8Array): string {
  if (number.length === 1 && content.length > 8) return privateKeyReason;
  return content.length > 72 ? rsaReason : 'must be a public key: it looks like a signature';
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
