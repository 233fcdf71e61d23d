import type { NftSaleState } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';
import { isOwned, type SaleRecord, saleColumns, salesWithSeller } from './nft-sale-record.ts';
import type { SaleStep } from './typed-data.ts';

interface Move {
  readonly from: NftSaleState;
  readonly to: NftSaleState;
  readonly signatureColumn: string;
  readonly transaction: string;
  readonly price: string;
}

/**
 * Moves a sale and notes it, only if all is still as it was when its signature was verified. Whoever changes the owner
 * of the digital key also ends the sale, and one of the two waits for the other at the sale's row. A transaction that
 * the chain has told of first stays as it is.
 */
function moving(name: string, { from, to, signatureColumn, transaction, price }: Move) {
  return statement<SaleRecord>(
    `nft-sales.${name}`,
    `WITH nft_sales AS (
       UPDATE nft_sales SET state = '${to}', ${signatureColumn} = $3
       WHERE id = $1 AND seller_id = $2 AND state = '${from}' AND expires_at >= now() AND ${isOwned} RETURNING *
     ), noted AS (
       INSERT INTO transactions (type, token_id, from_address, price, currency, sale_id, origin, occurred_at)
       SELECT '${transaction}', token_id, $4, ${price}, id, 'SIGNATURE', now() FROM nft_sales
       ON CONFLICT (sale_id, type) WHERE type IN ('LIST', 'LIST_CANCEL', 'SALE') DO NOTHING
     )
     SELECT ${saleColumns} FROM ${salesWithSeller}`,
  );
}

const moves = {
  Listing: moving('list', {
    from: 'DRAFT',
    to: 'LISTED',
    signatureColumn: 'listing_signature',
    transaction: 'LIST',
    price: 'price, currency',
  }),
  Cancellation: moving('cancel', {
    from: 'LISTED',
    to: 'CANCELLED',
    signatureColumn: 'cancellation_signature',
    transaction: 'LIST_CANCEL',
    price: 'NULL, NULL',
  }),
};

/** Takes the step that was signed; null when something came between. */
export async function takeStep(
  database: Database,
  scope: HolderScope,
  step: SaleStep,
  { id, signature }: { readonly id: string; readonly signature: Uint8Array },
): Promise<SaleRecord | null> {
  const values = [id, scope.holderId, signature, scope.walletAddress];
  const rows = await database.query(scope, moves[step], values);
  return rows[0] ?? null;
}
