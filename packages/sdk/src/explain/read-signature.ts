import { secp256k1 } from '@noble/curves/secp256k1.js';
import { decodeBase64 } from '../signing/base64.ts';

/** The 64 bytes of a signature, or why there are none. */
export type SignatureReading = { readonly bytes: Uint8Array } | { readonly fault: string };

const expected = 'x-auth-signature must be Base64 of an ECDSA signature (DER, or the 64 bytes of r and s)';
const hmac = `${expected}: 32 bytes are an HMAC or a bare hash, which no secret key has signed`;

/** Reads a signature as it stands in the header. */
export function readSignature(signature: string): SignatureReading {
  const text = signature.trim().replaceAll(/^["']|["']$/g, '');
  if (text === '') return { fault: `${expected}: it is empty` };
  if (/\s/.test(text))
    return { fault: 'x-auth-signature must stand on one line: it has blanks or line ends' };
  if (/^(0x)?([0-9a-f]{2}){32,}$/i.test(text)) {
    return { fault: text.replace(/^0x/i, '').length === 64 ? hmac : `${expected}: it is hex` };
  }
  const bytes = decodeBase64(text);
  return bytes ? readBytes(bytes) : { fault: `${expected}: it is not Base64` };
}

function readBytes(bytes: Uint8Array): SignatureReading {
  const fromDer = readDerSignature(bytes);
  if (fromDer) return { bytes: fromDer };
  if (bytes.length === 64) return { bytes };
  if (bytes.length === 32) return { fault: hmac };
  if (bytes[0] === 0x30) return { fault: `${expected}: its DER is damaged or cut off` };
  if (bytes.length === 65) {
    return { fault: `${expected}: 65 bytes are a wallet's signature with a recovery byte; drop that one` };
  }
  const inner = decodeBase64(new TextDecoder().decode(bytes));
  if (inner && (inner[0] === 0x30 || inner.length === 64)) {
    return { fault: `${expected}: it was encoded in Base64 twice` };
  }
  return { fault: `${expected}: it holds ${bytes.length} bytes of something else` };
}

function readDerSignature(bytes: Uint8Array): Uint8Array | null {
  try {
    return secp256k1.Signature.fromBytes(bytes, 'der').toBytes('compact');
  } catch {
    return null;
  }
}
