import type { Address, Hex } from 'viem';

/** The marketplace for which a signature is valid. */
export interface MarketplaceDomain {
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** The fields of a listing and of its cancellation. */
export interface Listing {
  readonly saleId: Hex;
  readonly owner: Address;
  readonly tokenId: bigint;
  /** How often the token has changed its owner: `nonces(tokenId)` of the token. */
  readonly nonce: bigint;
  /** In wei. */
  readonly price: bigint;
  /** In Unix seconds. A signature is valid up to and including this second. */
  readonly expiry: bigint;
}

const fields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
] as const;

const domainOf = (marketplace: MarketplaceDomain) =>
  ({ name: 'Keyfront Marketplace', version: '2', ...marketplace }) as const;

/** Returns the EIP-712 message that the owner signs to list a digital key. */
export function listingTypedData(marketplace: MarketplaceDomain, listing: Listing) {
  return {
    domain: domainOf(marketplace),
    types: { Listing: fields },
    primaryType: 'Listing',
    message: listing,
  } as const;
}

/** Returns the EIP-712 message that the owner signs to cancel a listing. */
export function cancellationTypedData(marketplace: MarketplaceDomain, listing: Listing) {
  return {
    domain: domainOf(marketplace),
    types: { Cancellation: fields },
    primaryType: 'Cancellation',
    message: listing,
  } as const;
}

/** Converts the UUID of a sale to the `bytes16` id of the contract. */
export function saleIdBytes(uuid: string): Hex {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) throw new Error(`"${uuid}" is not a UUID.`);
  return `0x${uuid.replaceAll('-', '').toLowerCase()}`;
}
