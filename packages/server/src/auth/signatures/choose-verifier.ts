import { loadLibsecp256k1Verifier } from './libsecp256k1-verifier.ts';
import { createNodeCryptoVerifier } from './node-crypto-verifier.ts';
import type { SignatureVerifier } from './verifier.ts';

/** The fastest verifier that runs here. */
export function chooseVerifier(): SignatureVerifier {
  return loadLibsecp256k1Verifier() ?? createNodeCryptoVerifier();
}
