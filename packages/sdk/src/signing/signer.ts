/** Signs what a request's signature covers. One of your own may keep its key in a vault. */
export interface Signer {
  /** Base64 of the ECDSA signature (secp256k1, SHA-256) of the payload, which is not hashed yet. */
  sign(payload: Uint8Array): Promise<string>;
}
