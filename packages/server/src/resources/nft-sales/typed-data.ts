import { toChecksumAddress } from '@keyfront/evm';
import type { NftSaleTypedData } from '@keyfront/protocol';
import type { Hex } from 'viem';

/** The marketplace that signatures are for. */
export interface Marketplace {
  readonly chainId: number;
  readonly contract: string;
}

/** The terms that the owner signs. */
export interface SaleTerms {
  readonly id: string;
  readonly tokenId: number;
  /** A wallet address, in any letter case. */
  readonly seller: string;
  readonly nonce: number;
  readonly price: string;
  readonly expiresAt: string;
}

/** The step that a signature authorizes. */
export type SaleStep = NftSaleTypedData['primaryType'];

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
// The contract declares the same fields under the same names, so one signature is valid for both.
const stepFields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
] as const;

const buildDomain = ({ chainId, contract }: Marketplace) => ({
  name: 'Keyfront Marketplace',
  version: '2',
  chainId,
  verifyingContract: toChecksumAddress(contract),
});

const buildMessage = ({ id, tokenId, seller, nonce, price, expiresAt }: SaleTerms) => ({
  saleId: `0x${id.replaceAll('-', '')}` as const,
  owner: toChecksumAddress(seller),
  tokenId: BigInt(tokenId),
  nonce: BigInt(nonce),
  price: toWei(price),
  expiry: BigInt(Math.floor(Date.parse(expiresAt) / 1000)),
});

/** Converts ether to wei. */
function toWei(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** Builds the EIP-712 typed data for a step of a sale, as JSON for a wallet: numbers are strings. */
export function buildSaleTypedData(
  step: SaleStep,
  terms: SaleTerms,
  marketplace: Marketplace,
): NftSaleTypedData {
  const { saleId, owner, ...numbers } = buildMessage(terms);
  return {
    domain: buildDomain(marketplace),
    types: { EIP712Domain: domainFields, [step]: [...stepFields] },
    primaryType: step,
    message: {
      saleId,
      owner,
      tokenId: String(numbers.tokenId),
      nonce: String(numbers.nonce),
      price: String(numbers.price),
      expiry: String(numbers.expiry),
    },
  };
}

/** Computes the EIP-712 hash that the wallet signs. */
export async function hashSaleTypedData(
  step: SaleStep,
  terms: SaleTerms,
  marketplace: Marketplace,
): Promise<Hex> {
  // Loaded on first use, because most processes never verify a sale.
  const { hashTypedData } = await import('viem/utils');
  return hashTypedData({
    domain: buildDomain(marketplace),
    types: { Listing: stepFields, Cancellation: stepFields },
    primaryType: step,
    message: buildMessage(terms),
  });
}
