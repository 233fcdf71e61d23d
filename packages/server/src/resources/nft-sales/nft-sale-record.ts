import type { NftSale } from '@keyfront/protocol';

/** A row of `nft_sales` with the address of the seller, in lower case. */
export interface NftSaleRecord extends Omit<NftSale, 'typedData'> {
  /** How often the digital key had changed its owner when the sale was drafted. */
  readonly nonce: number;
  /** By the clock of the database, which decides every step. */
  readonly hasExpired: boolean;
}

/** The columns to select from `nftSalesWithSeller`. */
export const nftSaleColumns = `nft_sales.id, nft_sales.token_id AS "tokenId", holders.wallet_address AS seller,
  trim_scale(nft_sales.price)::text AS price, nft_sales.currency, nft_sales.state, nft_sales.nonce, nft_sales.expires_at AS "expiresAt",
  nft_sales.created_at AS "createdAt", nft_sales.updated_at AS "updatedAt", nft_sales.expires_at < now() AS "hasExpired"`;
export const nftSalesWithSeller = 'nft_sales JOIN holders ON holders.id = nft_sales.seller_id';
/** Whether the seller still owns the digital key. */
export const isOwned = `EXISTS (
  SELECT FROM digital_keys WHERE digital_keys.token_id = nft_sales.token_id AND digital_keys.holder_id = nft_sales.seller_id
)`;
