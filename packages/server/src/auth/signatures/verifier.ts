import type { HashedPayload } from './hashed-payload.ts';
import type { PublicKey } from './public-key.ts';

/** The arithmetic of the curve. */
export interface SignatureVerifier {
  readonly name: string;
  /** `signature` is r and s, 32 bytes each; s may be high or low. */
  verify(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean;
}
