import type { NftSale } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { ApiError, notInScope } from '../../lib/errors/api-error.ts';
import { findOwnNftSale, nftSaleExists, withdrawDraft } from './nft-sale-queries.ts';
import { toNftSale } from './to-nft-sale.ts';
import type { Marketplace } from './typed-data.ts';

/**
 * Withdraws a draft. The row stays as a cancelled sale: a listing that its owner has signed but not sent here can still reach the
 * chain, and the chain reader then finds the sale that it belongs to.
 */
export async function withdrawNftSale(
  database: Database,
  scope: HolderScope,
  marketplace: Marketplace,
  id: string,
): Promise<NftSale> {
  const withdrawn = await withdrawDraft(database, scope, id);
  if (withdrawn) return toNftSale(withdrawn, marketplace);
  const sale = await findOwnNftSale(database, scope, id);
  if (!sale) throw notInScope('Sale', await nftSaleExists(database, id));
  if (sale.state === 'LISTED') throw new ApiError('SALE_LISTED');
  throw new ApiError('SALE_CLOSED', { message: `The sale is ${sale.state}` });
}
