import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Adds the ERC-55 checksum to a wallet address. Does not use viem, because loading it would take a quarter of the startup
 * time.
 */
export function toChecksumAddress(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const isHigh = (index: number) => (((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf) >= 8;
  return `0x${[...digits].map((digit, index) => (isHigh(index) ? digit.toUpperCase() : digit)).join('')}`;
}
