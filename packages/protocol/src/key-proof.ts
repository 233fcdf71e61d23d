/** What a proof of possession names: who registers which key, and when. */
export interface KeyProofTerms {
  /** Wallet that registers the key, in any letter case. */
  readonly walletAddress: string;
  /** The `publicKey` of the request, exactly as it is sent. */
  readonly publicKey: string;
  /** The `issuedAt` of the proof, exactly as it is sent. */
  readonly issuedAt: string;
}

/**
 * Writes the text that the secret key signs to prove that the wallet has it. No payload of a request begins like this, so neither
 * signature is valid for the other purpose.
 */
export function writeKeyProof({ walletAddress, publicKey, issuedAt }: KeyProofTerms): string {
  return [
    'Keyfront API key',
    `Wallet: ${walletAddress.toLowerCase()}`,
    `Public key: ${publicKey}`,
    `Time: ${issuedAt}`,
  ].join('\n');
}
