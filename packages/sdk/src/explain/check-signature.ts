import { secp256k1 } from '@noble/curves/secp256k1.js';
import { acceptedPayloads } from '../generated/canonical-payload.ts';
import { payloadMismatch } from '../generated/signature-issues.ts';
import { listSigningMistakes } from '../generated/signing-mistakes.ts';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { readSignature } from './read-signature.ts';

const header = 'x-auth-signature';

/** Whether a signature is valid, and why not. */
export interface SignatureVerdict {
  readonly isValid: boolean;
  /** What is wrong with the signature and how to correct it. */
  readonly message: string;
}

export interface SignatureToCheck {
  readonly signature: string;
  /** The point of the API key; null if there is no readable API key. */
  readonly publicKey: Uint8Array | null;
  /** The point that belongs to the secret key; null if there is no secret key. */
  readonly ownPublicKey: Uint8Array | null;
  readonly sha256: Uint8Array;
}

/** Checks whether a signature covers a request, and if not, finds out what was signed instead. */
export function checkSignature(
  request: PreparedRequest,
  { signature, publicKey, ownPublicKey, sha256 }: SignatureToCheck,
): SignatureVerdict {
  const reading = readSignature(signature);
  if ('issue' in reading) return invalid(`${header} ${reading.issue}`);
  if (!publicKey) return invalid('The signature cannot be checked without a readable apiKey');
  const covers = (payload: Uint8Array, key = publicKey) => verify(reading.bytes, payload, key);

  for (const payload of acceptedPayloads(request)) {
    if (covers(payload)) return { isValid: true, message: 'The signature is valid' };
  }
  for (const { payload, hint } of listSigningMistakes({ ...request, sha256 })) {
    if (covers(payload)) return invalid(`${header} ${payloadMismatch}: ${hint}`);
  }
  if (ownPublicKey && covers(request.payload, ownPublicKey)) {
    return invalid(
      'The signature was made with the secretKey of this client, which does not belong to the apiKey',
    );
  }
  return invalid(
    'The signature was made with another key or covers other bytes: compare the signed bytes with the payload, and ' +
      'check that the secret key belongs to the apiKey',
  );
}

function invalid(message: string): SignatureVerdict {
  return { isValid: false, message };
}

function verify(signature: Uint8Array, payload: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, payload, publicKey, { lowS: false });
  } catch {
    // r, s or the point is out of range.
    return false;
  }
}
