import { createSigner } from '#create-signer';
import { writeKeyProof } from './generated/key-proof.ts';
import type { KeyProof } from './generated/types.ts';
import type { Signer } from './signing/signer.ts';

/** A key pair of your own, and the wallet that registers it. */
export interface KeyPossession {
  /** Address of the signed-in wallet that registers the key. */
  readonly walletAddress: string;
  /** The public key as `keys.create` sends it: PEM (SPKI), Base64-encoded. */
  readonly publicKey: string;
  /** The secret key of the pair, or a signer that has it. */
  readonly key: string | Uint8Array | Signer;
  /** Time of the proof. The default is now. */
  readonly issuedAt?: Date;
}

/**
 * Proves that you have the secret key of your own public key. Returns the fields that `keys.create` needs to register it. The
 * proof is valid for five minutes.
 */
export async function proveKeyPossession({
  walletAddress,
  publicKey,
  key,
  issuedAt = new Date(),
}: KeyPossession): Promise<{ publicKey: string; proof: KeyProof }> {
  const signer = typeof key === 'object' && 'sign' in key ? key : createSigner(key);
  const time = issuedAt.toISOString();
  const text = writeKeyProof({ walletAddress, publicKey, issuedAt: time });
  const signature = await signer.sign(new TextEncoder().encode(text));
  return { publicKey, proof: { issuedAt: time, signature } };
}
