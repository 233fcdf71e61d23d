import type { Address, Hex } from 'viem';

/** The marketplace that a signature is for. */
export interface MarketplaceDomain {
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** What an owner offers: the fields of a listing and of its cancellation alike. */
export interface Listing {
  readonly saleId: Hex;
  readonly owner: Address;
  readonly tokenId: bigint;
  /** In wei. */
  readonly price: bigint;
  /** In seconds since 1970; the last one in which a signature is good. */
  readonly expiry: bigint;
}

const fields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
] as const;

const domainOf = (marketplace: MarketplaceDomain) =>
  ({ name: 'Keyfront Marketplace', version: '1', ...marketplace }) as const;

/** What the owner signs (EIP-712) to list a digital key. */
export function listingTypedData(marketplace: MarketplaceDomain, listing: Listing) {
  return {
    domain: domainOf(marketplace),
    types: { Listing: fields },
    primaryType: 'Listing',
    message: listing,
  } as const;
}

/** What the owner signs (EIP-712) to withdraw a listing. */
export function cancellationTypedData(marketplace: MarketplaceDomain, listing: Listing) {
  return {
    domain: domainOf(marketplace),
    types: { Cancellation: fields },
    primaryType: 'Cancellation',
    message: listing,
  } as const;
}

/** The UUID of a sale as the sixteen bytes that the contract knows it by. */
export function saleIdBytes(uuid: string): Hex {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) throw new Error(`"${uuid}" is not a UUID.`);
  return `0x${uuid.replaceAll('-', '').toLowerCase()}`;
}
