import { loadFastestVerifier, type SignatureVerifier } from '@keyfront/signatures';

/** A verifier that counts how many signatures it has verified on the curve. */
export function createCountingVerifier(): {
  readonly verifier: SignatureVerifier;
  readonly count: () => number;
} {
  const verify = loadFastestVerifier();
  let count = 0;
  const verifier: SignatureVerifier = (...signed) => {
    count++;
    return verify(...signed);
  };
  return { verifier, count: () => count };
}
