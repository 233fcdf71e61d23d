import type { Hex } from 'viem';
import { askSmartWallet, type Chain } from './smart-wallet.ts';
import { zeroAddress } from './zero-address.ts';

export interface SignedHash {
  /** Of what the wallet was asked to sign, whatever its form. */
  readonly hash: Hex;
  readonly signature: string;
  /** With the checksum of ERC-55 in its capitals. */
  readonly address: string;
}

const hexLengthOf65Bytes = 132;
const halfOfCurveOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const mismatch = 'the signature does not match the address of the message';

/**
 * Why a signature over a hash is not the wallet's; null when it is. The key of an ordinary wallet is
 * recovered right here; only what it did not sign is put to the chain, where there is one to ask.
 */
export async function findSignatureFault(
  { hash, signature, address }: SignedHash,
  chain: Chain | null,
): Promise<string | null> {
  if (!isHex(signature) || !isHex(address) || signature.length % 2 !== 0) {
    return 'the signature must be 0x and an even number of hexadecimal digits';
  }
  // Contracts recover the zero address from what is no signature at all, and burnt tokens belong to it.
  if (address === zeroAddress) return mismatch;
  if ((await recover(hash, signature)) === address) {
    // The other of the two forms that every signature has, which no wallet makes.
    return isHighS(signature) ? 'the signature must have the lower of its two possible s values' : null;
  }
  if (chain) {
    const answer = await askSmartWallet(chain, { address, hash, signature });
    if (answer === 'valid') return null;
    if (answer === 'unknown') return 'the signature could not be verified on the chain: try again later';
    return mismatch;
  }
  return signature.length === hexLengthOf65Bytes
    ? mismatch
    : 'the signature must have 65 bytes: those of smart wallets are not accepted here';
}

/** The address that made a signature of 65 bytes: r, s, and 0, 1, 27 or 28. */
async function recover(hash: Hex, signature: Hex): Promise<string | null> {
  if (signature.length !== hexLengthOf65Bytes) return null;
  // Loaded when somebody signs in or sells.
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
