import { acceptedPayloads } from '@keyfront/protocol/canonical-payload';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { listMistakes } from './mistakes.ts';
import { readSignature } from './read-signature.ts';

export interface SignatureVerdict {
  readonly isValid: boolean;
  /** What is right or wrong with it, and what to do. */
  readonly sentence: string;
}

export interface SignatureToJudge {
  readonly signature: string;
  /** The point of the API key; null where there is none that can be read. */
  readonly publicKey: Uint8Array | null;
  /** The point that belongs to the secret key; null where there is none here. */
  readonly ownPublicKey: Uint8Array | null;
  readonly sha256: Uint8Array;
}

/** Finds out whether a signature fits a request, and if not, what was signed instead. */
export function judgeSignature(
  request: PreparedRequest,
  { signature, publicKey, ownPublicKey, sha256 }: SignatureToJudge,
): SignatureVerdict {
  const reading = readSignature(signature);
  if ('fault' in reading) return wrong(reading.fault);
  if (!publicKey) return wrong('Without a readable apiKey nobody can say whether the signature is right');
  const covers = (payload: Uint8Array, key = publicKey) => verify(reading.bytes, payload, key);

  for (const payload of acceptedPayloads(request)) {
    if (covers(payload)) return { isValid: true, sentence: 'The signature is right' };
  }
  const mistake = listMistakes(request, sha256).find(({ payload }) => covers(payload));
  if (mistake) return wrong(mistake.sentence);
  if (ownPublicKey && covers(request.payload, ownPublicKey)) {
    return wrong('The signature was made with the secretKey given here, which does not belong to the apiKey');
  }
  return wrong(
    'Another key made the signature, or something else was signed: compare your bytes with those above, ' +
      'and check that the secret key belongs to the apiKey',
  );
}

function wrong(sentence: string): SignatureVerdict {
  return { isValid: false, sentence };
}

function verify(signature: Uint8Array, payload: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, payload, publicKey, { lowS: false });
  } catch {
    // r, s or the point is out of range.
    return false;
  }
}
