import type { NftSaleTypedData } from '@keyfront/protocol';
import type { Hex } from 'viem';
import { toChecksumAddress } from '../../chain/checksum-address.ts';

/** The marketplace that signatures are for. */
export interface Marketplace {
  readonly chainId: number;
  readonly contract: string;
}

/** What the owner agrees to. */
export interface SaleTerms {
  readonly id: string;
  readonly tokenId: number;
  /** A wallet address, in any case. */
  readonly seller: string;
  readonly price: string;
  readonly expiresAt: string;
}

/** What the owner does by signing. */
export type SaleStep = NftSaleTypedData['primaryType'];

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
// The contract has the same, under the same names: a signature for the one is good for the other.
const stepFields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
] as const;

const domainOf = ({ chainId, contract }: Marketplace) => ({
  name: 'Keyfront Marketplace',
  version: '1',
  chainId,
  verifyingContract: toChecksumAddress(contract),
});

const messageOf = ({ id, tokenId, seller, price, expiresAt }: SaleTerms) => ({
  saleId: `0x${id.replaceAll('-', '')}` as const,
  owner: toChecksumAddress(seller),
  tokenId: BigInt(tokenId),
  price: toWei(price),
  expiry: BigInt(Math.floor(Date.parse(expiresAt) / 1000)),
});

/** In the smallest unit, of which 10^18 are one. */
function toWei(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** What the owner signs (EIP-712) to take a step of a sale, as a wallet takes it: numbers in texts. */
export function describeStep(step: SaleStep, terms: SaleTerms, marketplace: Marketplace): NftSaleTypedData {
  const { tokenId, price, expiry, ...message } = messageOf(terms);
  return {
    domain: domainOf(marketplace),
    types: { EIP712Domain: domainFields, [step]: [...stepFields] },
    primaryType: step,
    message: { ...message, tokenId: String(tokenId), price: String(price), expiry: String(expiry) },
  };
}

/** The hash that a wallet makes of it, and signs. */
export async function hashStep(step: SaleStep, terms: SaleTerms, marketplace: Marketplace): Promise<Hex> {
  // Loaded when somebody signs, which few do.
  const { hashTypedData } = await import('viem/utils');
  return hashTypedData({
    domain: domainOf(marketplace),
    types: { Listing: stepFields, Cancellation: stepFields },
    primaryType: step,
    message: messageOf(terms),
  });
}
