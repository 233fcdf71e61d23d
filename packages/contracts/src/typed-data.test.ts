import { describe, expect, it } from 'vitest';
import { cancellationTypedData, listingTypedData, saleIdBytes } from './typed-data.ts';

const marketplace = {
  chainId: 31_337,
  verifyingContract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
} as const;
const listing = {
  saleId: '0x0199c9bbb2717adda2d86c0aca697266',
  owner: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  tokenId: 7n,
  nonce: 1n,
  price: 1n,
  expiry: 1_800_000_000n,
} as const;
const fields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
];
const domain = { name: 'Keyfront Marketplace', version: '2', ...marketplace };

describe('typed data', () => {
  it('differs between a listing and its cancellation only in the type name', () => {
    expect(listingTypedData(marketplace, listing)).toEqual({
      domain,
      types: { Listing: fields },
      primaryType: 'Listing',
      message: listing,
    });
    expect(cancellationTypedData(marketplace, listing)).toEqual({
      domain,
      types: { Cancellation: fields },
      primaryType: 'Cancellation',
      message: listing,
    });
  });

  it('encodes the UUID of a sale as 16 bytes', () => {
    expect(saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697266')).toBe(listing.saleId);
    expect(saleIdBytes('0199C9BB-B271-7ADD-A2D8-6C0ACA697266')).toBe(listing.saleId);
  });

  it('rejects an invalid UUID', () => {
    for (const text of [
      '',
      '0199c9bbb2717adda2d86c0aca697266',
      '0199c9bb-b271-7add-a2d8-6c0aca69726',
      '0199c9bb-b271-7add-a2d8-6c0aca6972666',
      '0199c9bb-b271-7add-a2d8-6c0aca69726g',
      ' 0199c9bb-b271-7add-a2d8-6c0aca697266\n',
    ]) {
      expect(() => saleIdBytes(text), text).toThrow('is not a UUID');
    }
  });
});
