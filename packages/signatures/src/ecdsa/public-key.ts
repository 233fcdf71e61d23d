import { BoundedMap } from '@keyfront/bounded-map';
import { decodeBase64, looksLikeHex, unwrap } from '../base64.ts';
import { type Rejection, reject } from '../rejection.ts';
import {
  certificateReason,
  type PublicKey,
  type PublicKeyResult,
  privateKeyReason,
  readSpki,
  rsaReason,
} from './spki.ts';

// Several times the length of a key of any kind.
const maxLength = 8192;
const pemStart = '-----BEGIN ';
const pem = /^-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END ([A-Z0-9 ]+)-----$/;
const expected = 'Base64 of a PEM public key';

/**
 * Parses a public key from a header: Base64 of its PEM or of its DER, with any whitespace, quotes and line breaks around
 * or in it. The reason of a rejection continues a sentence that begins with the name of the header.
 */
export function parsePublicKey(text: string): PublicKeyResult {
  if (text.length > maxLength) return reject(`must be ${expected}: it is too long`);
  const unwrapped = unwrap(text);
  if (unwrapped.startsWith(pemStart)) return rejectBarePem(unwrapped);
  const digits = joinLines(unwrapped);
  if (looksLikeHex(digits)) return reject(`must be ${expected}: it is hex`);
  const bytes = decodeBase64(digits);
  if (!bytes) return reject(`must be ${expected}: it is not Base64`);
  return readDecoded(bytes);
}

function readDecoded(bytes: Buffer): PublicKeyResult {
  if (bytes[0] === 0x30) return readSpki(bytes);
  const text = unwrap(bytes.toString('latin1'));
  if (text.startsWith(pemStart)) return readPem(text);
  // The body of a PEM, without its first and last line.
  const inner = decodeBase64(joinLines(text));
  if (inner?.[0] === 0x30) return readSpki(inner);
  if (inner && unwrap(inner.toString('latin1')).startsWith(pemStart)) {
    return reject(`must be ${expected}: it was encoded twice`);
  }
  if (bytes.length === 65 || bytes.length === 33 || bytes.length === 64) {
    return reject(`must be ${expected}: it looks like a bare point or a signature`);
  }
  if (bytes.length === 32) return reject(`must be ${expected}: it looks like a secret or a hash`);
  return reject(`must be ${expected}: it contains something else`);
}

function readPem(text: string): PublicKeyResult {
  if (text.includes('PRIVATE KEY-----')) return reject(privateKeyReason);
  const [, label, lines, endLabel] = pem.exec(unwrap(text.replace(/\\[rn]/g, '\n'))) ?? [];
  if (label === undefined || lines === undefined || label !== endLabel) {
    return reject(`must be ${expected}: its PEM is damaged or has other text around it`);
  }
  if (label.includes('CERTIFICATE')) return reject(certificateReason);
  if (label === 'RSA PUBLIC KEY') return reject(rsaReason);
  if (label !== 'PUBLIC KEY') return reject(`must be ${expected}: the PEM is labelled ${label.slice(0, 40)}`);
  const der = decodeBase64(joinLines(lines));
  return der ? readSpki(der) : reject(`must be ${expected}: its PEM is damaged`);
}

function rejectBarePem(text: string): Rejection {
  const result = readPem(text);
  return result.ok ? reject(`must be ${expected}: it is a PEM that is not Base64-encoded`) : result;
}

/** Removes line breaks. Some may have become spaces, or the two characters that represent one in JSON and shells. */
function joinLines(text: string): string {
  return text.replace(/\s|\\[rn]/g, '');
}

const defaultCacheLimit = 10_000;
// A key takes about 250 characters. Longer headers are valid, but must not fill the memory.
const maxCachedLength = 1024;

/** Caches public keys by the text of their header, so that a key is parsed once and not for every request. */
export class PublicKeyCache {
  readonly #keys: BoundedMap<PublicKey>;

  constructor(limit = defaultCacheLimit) {
    this.#keys = new BoundedMap(limit);
  }

  get size(): number {
    return this.#keys.size;
  }

  parse(text: string): PublicKeyResult {
    const cached = this.#keys.get(text);
    if (cached) return { ok: true, key: cached };
    const result = parsePublicKey(text);
    if (result.ok && text.length <= maxCachedLength) this.#keys.set(text, result.key);
    return result;
  }
}
