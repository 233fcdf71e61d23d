import { type NewKey, textPatterns, writeKeyProof } from '@keyfront/protocol';
import { HashedPayload, type PublicKey, parseSignature, verifyWithNodeCrypto } from '@keyfront/signatures';
import { ApiError, validationFailed } from '../../lib/errors/api-error.ts';

/** The largest difference between the time of a proof and the clock of the service. */
const maxAgeMs = 5 * 60_000;

/**
 * Throws unless the secret key of the public key has signed that this wallet registers it now. Without a proof, a holder could
 * register the public key of another builder first, who could then not use it.
 *
 * A proof cannot be used twice: a public key can be registered only once, also after it was revoked.
 */
export function checkKeyProof(
  { publicKey = '', proof }: Pick<NewKey, 'publicKey' | 'proof'>,
  key: PublicKey,
  walletAddress: string,
  nowMs = Date.now(),
): void {
  if (!proof) throw validationFailed(['proof is required with publicKey']);
  const { issuedAt } = proof;
  const issuedAtMs = Date.parse(issuedAt);
  if (Number.isNaN(issuedAtMs)) throw validationFailed([`proof.issuedAt ${textPatterns.utcTime.issue}`]);
  const parsed = parseSignature(proof.signature);
  if (!parsed.ok) throw validationFailed([`proof.signature ${parsed.reason}`]);
  if (Math.abs(nowMs - issuedAtMs) > maxAgeMs) {
    throw invalidProof('proof.issuedAt is more than five minutes from the time of the service');
  }
  const text = writeKeyProof({ walletAddress, publicKey, issuedAt });
  if (!verifyWithNodeCrypto(new HashedPayload(Buffer.from(text)), parsed.signature, key)) {
    throw invalidProof(
      'proof.signature is not that of the public key over the text for this wallet, public key and time',
    );
  }
}

function invalidProof(message: string): ApiError {
  return new ApiError('KEY_PROOF_INVALID', { message });
}
