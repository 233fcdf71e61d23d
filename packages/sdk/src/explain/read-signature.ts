import { secp256k1 } from '@noble/curves/secp256k1.js';
import { decodeBase64 } from '../signing/base64.ts';

/** The 64 bytes of a signature, or what is wrong with its encoding. */
export type SignatureReading = { readonly bytes: Uint8Array } | { readonly issue: string };

const expected =
  'x-auth-signature must be a Base64-encoded ECDSA signature (DER, or the 64 bytes of r and s)';
const hmac = `${expected}: these 32 bytes are an HMAC or a hash`;

/** Reads a signature as the header has it. */
export function readSignature(signature: string): SignatureReading {
  const text = signature.trim().replaceAll(/^["']|["']$/g, '');
  if (text === '') return { issue: `${expected}: it is empty` };
  if (/\s/.test(text)) return { issue: 'x-auth-signature must not contain spaces or line breaks' };
  if (/^(0x)?([0-9a-f]{2}){32,}$/i.test(text)) {
    return { issue: text.replace(/^0x/i, '').length === 64 ? hmac : `${expected}: it is hexadecimal` };
  }
  const bytes = decodeBase64(text);
  return bytes ? readBytes(bytes) : { issue: `${expected}: it is not Base64` };
}

function readBytes(bytes: Uint8Array): SignatureReading {
  const fromDer = readDerSignature(bytes);
  if (fromDer) return { bytes: fromDer };
  if (bytes.length === 64) return { bytes };
  if (bytes.length === 32) return { issue: hmac };
  if (bytes[0] === 0x30) return { issue: `${expected}: its DER is damaged or cut off` };
  if (bytes.length === 65) {
    return { issue: `${expected}: these 65 bytes are a wallet signature, drop the recovery byte` };
  }
  const inner = decodeBase64(new TextDecoder().decode(bytes));
  if (inner && (inner[0] === 0x30 || inner.length === 64)) {
    return { issue: `${expected}: it is Base64-encoded twice` };
  }
  return { issue: `${expected}: these ${bytes.length} bytes are not a signature` };
}

function readDerSignature(bytes: Uint8Array): Uint8Array | null {
  try {
    return secp256k1.Signature.fromBytes(bytes, 'der').toBytes('compact');
  } catch {
    return null;
  }
}
