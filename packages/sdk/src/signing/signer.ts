/** Signs payloads of requests. Implement it to keep the secret key in a vault. */
export interface Signer {
  /** Returns the Base64-encoded ECDSA signature (secp256k1, SHA-256) of the payload, which is not hashed yet. */
  sign(payload: Uint8Array): Promise<string>;
}

/** A signer that has the secret key itself. */
export interface SecretKeySigner extends Signer {
  /** The point that belongs to the secret key. */
  readPublicKey(form: { readonly isCompressed: boolean }): Promise<Uint8Array>;
}
