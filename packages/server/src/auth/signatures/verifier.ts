import type { HashedPayload } from './hashed-payload.ts';
import type { PublicKey } from './public-key.ts';

/** Verifies ECDSA signatures on secp256k1. */
export interface SignatureVerifier {
  readonly name: string;
  /** `signature` is r and s, 32 bytes each. Both a high and a low s are valid. */
  verify(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean;
}
