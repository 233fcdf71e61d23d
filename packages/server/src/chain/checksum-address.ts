import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * A wallet address with the checksum of ERC-55 in its capitals. By itself rather than with all of viem, which would take a
 * quarter of the time that the service needs to start.
 */
export function toChecksumAddress(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const isHigh = (index: number) => (((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf) >= 8;
  return `0x${[...digits].map((digit, index) => (isHigh(index) ? digit.toUpperCase() : digit)).join('')}`;
}
