import { maximumSignatureLength, signatureIssues } from '../generated/signature-issues.ts';
import { decodeBase64 } from '../signing/base64.ts';
import { derTag, readDer } from '../signing/der.ts';
import { isScalar } from '../signing/secret-key.ts';

/** The 64 bytes of a signature, or what is wrong with it. The issue continues the name of the header. */
export type SignatureReading = { readonly bytes: Uint8Array } | { readonly issue: string };

/** Reads a signature as the header has it. */
export function readSignature(signature: string): SignatureReading {
  const text = signature.replaceAll(/^[\s"'`]+|[\s"'`]+$/g, '');
  if (text === '') return { issue: signatureIssues.empty };
  if (text.length > maximumSignatureLength) return { issue: signatureIssues.tooLong };
  if (/^(0x)?([0-9a-f]{2}){32,}$/i.test(text)) {
    const isHash = text.replace(/^0x/i, '').length === 64;
    return { issue: isHash ? signatureIssues.hmac : signatureIssues.hex };
  }
  const bytes = /\s/.test(text) ? null : decodeBase64(text);
  return bytes ? readBytes(bytes) : { issue: signatureIssues.notBase64 };
}

function readBytes(bytes: Uint8Array): SignatureReading {
  const fromDer = readDerSignature(bytes);
  if ('bytes' in fromDer) return fromDer;
  if (bytes.length === 64) return requireScalars(bytes);
  if (bytes.length === 32) return { issue: signatureIssues.hmac };
  if (bytes.length === 65 && bytes[0] !== derTag.sequence) return { issue: signatureIssues.recoveryByte };
  const text = new TextDecoder().decode(bytes).trim();
  if (text.startsWith('-----BEGIN ')) return { issue: signatureIssues.pem };
  // Before DER: its first byte is also the character `0`, with which the inner Base64 may begin.
  const inner = decodeBase64(text);
  if (inner && (inner[0] === derTag.sequence || inner.length === 64)) {
    return { issue: signatureIssues.encodedTwice };
  }
  if (bytes[0] === derTag.sequence) return fromDer;
  return { issue: signatureIssues.otherBytes(bytes.length) };
}

function readDerSignature(bytes: Uint8Array): SignatureReading {
  const outer = readDer(bytes);
  const r = outer?.tag === derTag.sequence ? readDer(outer.content) : null;
  const s = r?.tag === derTag.integer ? readDer(r.rest) : null;
  if (!outer || !r || s?.tag !== derTag.integer) return { issue: signatureIssues.damaged };
  if (outer.rest.length > 0 || s.rest.length > 0) return { issue: signatureIssues.bytesAfter };
  if (!isMinimal(r.content) || !isMinimal(s.content)) return { issue: signatureIssues.notMinimal };
  return requireScalars(Uint8Array.from([...toFixedLength(r.content), ...toFixedLength(s.content)]));
}

/** Whether a DER integer is not negative and not longer than necessary. */
function isMinimal([first, second]: Uint8Array): boolean {
  if (first === undefined || first >= 0x80) return false;
  return first !== 0 || second === undefined || second >= 0x80;
}

/** Pads a number to 32 bytes. It stays longer if it needs more. */
function toFixedLength(number: Uint8Array): number[] {
  const digits = number[0] === 0 ? number.subarray(1) : number;
  return [...new Uint8Array(Math.max(0, 32 - digits.length)), ...digits];
}

function requireScalars(bytes: Uint8Array): SignatureReading {
  const isPair = bytes.length === 64 && isScalar(bytes.subarray(0, 32)) && isScalar(bytes.subarray(32));
  return isPair ? { bytes } : { issue: signatureIssues.outOfRange };
}
