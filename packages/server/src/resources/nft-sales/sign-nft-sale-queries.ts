import { statement } from '@keyfront/postgres';
import type { NftSaleState } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { isOwned, type NftSaleRecord, nftSaleColumns, nftSalesWithSeller } from './nft-sale-record.ts';
import type { SaleStep } from './typed-data.ts';

interface Move {
  readonly from: NftSaleState;
  readonly to: NftSaleState;
  readonly signatureColumn: string;
  readonly transaction: string;
  readonly price: string;
}

/**
 * Composes the statement that updates a sale and inserts its transaction, if nothing has changed since the signature was
 * verified. A change of owner also closes the sale, so both serialize on the row of the sale. If the chain reader has
 * already inserted the transaction, that row stays.
 */
function composeMove(name: string, { from, to, signatureColumn, transaction, price }: Move) {
  return statement<NftSaleRecord>(
    `nft-sales.${name}`,
    `WITH nft_sales AS (
       UPDATE nft_sales SET state = '${to}', ${signatureColumn} = $4
       WHERE id = $1 AND token_id = $2 AND seller_id = $3 AND state = '${from}' AND expires_at >= now() AND ${isOwned}
       RETURNING *
     ), noted AS (
       INSERT INTO transactions (type, token_id, from_address, price, currency, sale_id, origin, occurred_at)
       SELECT '${transaction}', token_id, $5, ${price}, id, 'SIGNATURE', now() FROM nft_sales
       ON CONFLICT (sale_id, type) WHERE type IN ('LIST', 'LIST_CANCEL', 'SALE') DO NOTHING
     )
     SELECT ${nftSaleColumns} FROM ${nftSalesWithSeller}`,
  );
}

const moves = {
  Listing: composeMove('list', {
    from: 'DRAFT',
    to: 'LISTED',
    signatureColumn: 'listing_signature',
    transaction: 'LIST',
    price: 'price, currency',
  }),
  Cancellation: composeMove('cancel', {
    from: 'LISTED',
    to: 'CANCELLED',
    signatureColumn: 'cancellation_signature',
    transaction: 'LIST_CANCEL',
    price: 'NULL, NULL',
  }),
};

/** Applies a signed step. Returns null if the sale or its owner has changed meanwhile. */
export async function applySaleStep(
  database: Database,
  scope: HolderScope,
  step: SaleStep,
  { id, signature }: { readonly id: string; readonly signature: Uint8Array },
): Promise<NftSaleRecord | null> {
  const values = [id, scope.tokenId, scope.holderId, signature, scope.walletAddress];
  const rows = await database.query(scope, moves[step], values);
  return rows[0] ?? null;
}
