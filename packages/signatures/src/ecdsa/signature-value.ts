import { maximumSignatureLength, signatureIssues } from '@keyfront/protocol';
import { decodeBase64, looksLikeHex, unwrap } from '../base64.ts';
import { type Rejection, reject } from '../rejection.ts';
import { derTag, readDer } from './der.ts';

/** `signature` is r and s, 32 bytes each, both from 1 to n-1. */
export type SignatureResult = { readonly ok: true; readonly signature: Uint8Array } | Rejection;

/**
 * Parses a signature from a header. Each of the two forms has only one valid encoding; s may be high or low. The reason of
 * a rejection continues a sentence that begins with the name of the header.
 */
export function parseSignature(text: string): SignatureResult {
  if (text.length > maximumSignatureLength) return reject(signatureIssues.tooLong);
  const digits = unwrap(text);
  if (looksLikeHex(digits)) return rejectHex(digits);
  const bytes = decodeBase64(digits);
  if (!bytes) return reject(signatureIssues.notBase64);
  // The bytes of r and s can happen to begin like DER. They are DER only if all of them are valid DER.
  const fromDer = readDerSignature(bytes);
  if (fromDer) return { ok: true, signature: fromDer };
  if (bytes.length !== 64) return rejectBytes(bytes);
  return isPairOfScalars(bytes) ? { ok: true, signature: bytes } : reject(signatureIssues.outOfRange);
}

const maxIntegerLength = 33;

/** Reads r and s from valid DER, in one pass. Null for everything else; `rejectDer` finds out what is wrong with it. */
function readDerSignature(bytes: Uint8Array): Uint8Array | null {
  const rLength = bytes[3] ?? 0;
  const sLength = bytes[5 + rLength] ?? 0;
  const isFramed =
    bytes[0] === derTag.sequence &&
    bytes[1] === bytes.length - 2 &&
    bytes[2] === derTag.integer &&
    bytes[4 + rLength] === derTag.integer &&
    bytes.length === 6 + rLength + sLength;
  if (!isFramed || rLength > maxIntegerLength || sLength > maxIntegerLength) return null;
  // Not a `Uint8Array`: V8 keeps small ones on its heap, and has to move them before native code can read them.
  const signature = Buffer.alloc(64);
  const isRead =
    copyInteger(bytes, 4, rLength, signature, 32) && copyInteger(bytes, 6 + rLength, sLength, signature, 64);
  return isRead && isPairOfScalars(signature) ? signature : null;
}

/** Copies a positive integer in its shortest form so that it ends before `end`. False if it is not in that form. */
function copyInteger(from: Uint8Array, start: number, length: number, to: Uint8Array, end: number): boolean {
  const first = from[start] ?? 0;
  const next = from[start + 1] ?? 0;
  if (length === 0 || first >= 0x80 || (first === 0 && (length === 1 || next < 0x80))) return false;
  const skipped = first === 0 ? 1 : 0;
  if (length - skipped > 32) return false;
  for (let at = 0; at < length - skipped; at++) {
    to[end - length + skipped + at] = from[start + skipped + at] ?? 0;
  }
  return true;
}

/** Explains why bytes that begin like DER are not the DER of a signature. */
function rejectDer(bytes: Uint8Array): Rejection {
  const outer = readDer(bytes);
  const r = outer?.tag === derTag.sequence ? readDer(outer.content) : null;
  const s = r?.tag === derTag.integer ? readDer(r.rest) : null;
  if (!outer || !r || s?.tag !== derTag.integer) return reject(signatureIssues.damaged);
  if (outer.rest.length > 0 || s.rest.length > 0) return reject(signatureIssues.bytesAfter);
  if (!isMinimal(r.content) || !isMinimal(s.content)) {
    return reject(signatureIssues.notMinimal);
  }
  return reject(signatureIssues.outOfRange);
}

/** Whether a DER integer is not negative and not longer than necessary. */
function isMinimal([first, second]: Uint8Array): boolean {
  if (first === undefined || first >= 0x80) return false;
  return first !== 0 || second === undefined || second >= 0x80;
}

/** Whether r and s are from 1 to n-1, 32 bytes each. */
export function isPairOfScalars(signature: Uint8Array): boolean {
  return signature.length === 64 && isScalar(signature, 0) && isScalar(signature, 32);
}

const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

/** Whether the 32 bytes from `start` on are a number from 1 to n-1, where n is the order of the curve. */
function isScalar(bytes: Uint8Array, start: number): boolean {
  let isZero = true;
  let isBelow = false;
  for (let at = 0; at < order.length; at++) {
    const byte = bytes[start + at] ?? 0;
    const bound = order[at] ?? 0;
    // As long as it is not below, all bytes so far are equal.
    if (!isBelow && byte > bound) return false;
    isBelow ||= byte < bound;
    isZero &&= byte === 0;
    if (isBelow && !isZero) return true;
  }
  return false;
}

function rejectHex(digits: string): Rejection {
  const isHash = digits.replace(/^0x/, '').length === 64;
  return reject(isHash ? signatureIssues.hmac : signatureIssues.hex);
}

function rejectBytes(bytes: Buffer): Rejection {
  if (bytes.length === 32) return reject(signatureIssues.hmac);
  // One r of 256 begins with the tag of a sequence. DER has an integer in it as well.
  const beginsLikeDer = bytes[0] === derTag.sequence && bytes[2] === derTag.integer;
  if (bytes.length === 65 && !beginsLikeDer) return reject(signatureIssues.recoveryByte);
  const text = unwrap(bytes.toString('latin1'));
  if (text.startsWith('-----BEGIN ')) return reject(signatureIssues.pem);
  // Before DER: its first byte is also the character `0`, with which the inner Base64 may begin.
  const inner = decodeBase64(text);
  if (inner && (inner.length === 64 || inner[0] === 0x30)) {
    return reject(signatureIssues.encodedTwice);
  }
  return bytes[0] === 0x30 ? rejectDer(bytes) : reject(signatureIssues.otherBytes(bytes.length));
}
