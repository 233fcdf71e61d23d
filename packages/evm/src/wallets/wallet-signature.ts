import type { Hex } from 'viem';
import { type Chain, verifySmartWalletSignature } from './smart-wallet.ts';
import { zeroAddress } from './zero-address.ts';

export interface SignedHash {
  /** The hash of the signed data. */
  readonly hash: Hex;
  readonly signature: string;
  /** With ERC-55 checksum. */
  readonly address: string;
}

const hexLengthOf65Bytes = 132;
const halfOfCurveOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const mismatch = 'the signature does not match the address of the message';

/**
 * Finds the reason why a signature is not valid for a wallet. Recovers the address of an ordinary wallet locally, and asks the
 * chain only if that does not match.
 */
export async function findSignatureFault(
  { hash, signature, address }: SignedHash,
  chain: Chain | null,
): Promise<string | null> {
  if (!isHex(signature) || !isHex(address) || signature.length % 2 !== 0) {
    return 'the signature must be 0x and an even number of hexadecimal digits';
  }
  // Contracts recover the zero address from invalid signatures, and burnt tokens belong to it.
  if (address === zeroAddress) return mismatch;
  if ((await recover(hash, signature)) === address) {
    // Every signature has a second form with high s, which no wallet produces.
    return isHighS(signature) ? 'the signature must have the lower of its two possible s values' : null;
  }
  if (chain) {
    const verdict = await verifySmartWalletSignature(chain, { address, hash, signature });
    if (verdict === 'valid') return null;
    if (verdict === 'unknown') return 'the signature could not be verified on the chain: try again later';
    return mismatch;
  }
  return signature.length === hexLengthOf65Bytes
    ? mismatch
    : 'the signature must have 65 bytes: those of smart wallets are not accepted here';
}

/** Recovers the signer of a 65-byte signature: r, s, and 0, 1, 27 or 28. */
async function recover(hash: Hex, signature: Hex): Promise<string | null> {
  if (signature.length !== hexLengthOf65Bytes) return null;
  // Loaded on first use to keep viem out of the startup time.
  const { recoverAddress } = await import('viem/utils');
  try {
    return await recoverAddress({ hash, signature });
  } catch {
    return null;
  }
}

function isHex(text: string): text is Hex {
  return /^0x[0-9a-fA-F]*$/.test(text);
}

function isHighS(signature: Hex): boolean {
  return BigInt(`0x${signature.slice(66, 130)}`) > halfOfCurveOrder;
}
