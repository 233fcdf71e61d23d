/** Who has caused an event, as far as it is known. None of it is secret. */
export interface Actor {
  /** Id of the API key. */
  readonly keyId?: string;
  /** Verified address of the wallet, in lower case. */
  readonly wallet?: string;
  /** SHA-256 in hex of a public key that is not known here, or whose signature is not valid. */
  readonly keyFingerprint?: string;
  /** Address of a wallet that is named but not verified. */
  readonly claimedWallet?: string;
  /** The provider whose secret has signed the callback. */
  readonly provider?: string;
}
