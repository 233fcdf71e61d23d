import {
  defaultNftSaleCurrency,
  type NewNftSale,
  type NftSale,
  type NftSaleListQuery,
  type NftSalePage,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction, RunStatement } from '../../database/transactions/transaction.ts';
import { ApiError, notFound, notInScope, validationFailed } from '../../lib/errors/api-error.ts';
import { throwTokenNotOwned } from '../holders/holder-rules.ts';
import {
  findNftSale,
  findOwnNftSale,
  insertNftSale,
  listNftSales,
  listNftSalesAt,
  nftSaleExists,
  ownsToken,
  withdrawDraft,
} from './nft-sale-queries.ts';
import type { NftSaleRecord } from './nft-sale-record.ts';
import { toNftSale } from './to-nft-sale.ts';
import type { Marketplace } from './typed-data.ts';

/** Drafts the sale of the credential's digital key. */
export async function createNftSale(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  marketplace: Marketplace,
  { tokenId, price, currency = defaultNftSaleCurrency }: NewNftSale,
): Promise<NftSale> {
  if (!/[1-9]/.test(price)) throw validationFailed(['price must be greater than 0']);
  if (tokenId === scope.tokenId) {
    const sale = await insertNftSale(tx, scope, { price, currency });
    if (sale) return toNftSale(sale, marketplace);
  }
  if (!(await ownsToken(tx, scope, tokenId))) return throwTokenNotOwned(database, tokenId);
  if (tokenId !== scope.tokenId) throw credentialOfAnotherKey(scope, tokenId);
  throw new ApiError('SALE_ALREADY_OPEN');
}

function credentialOfAnotherKey(scope: HolderScope, tokenId: number): ApiError {
  return new ApiError('NOT_OWNED', {
    message:
      `Your credential is for the digital key ${scope.tokenId}: use an API key of ${tokenId}, ` +
      `or sign in and make ${tokenId} your primary digital key`,
  });
}

/** Gets one page of sales: those of the credential's digital key, or all for an administrator. */
export async function getNftSalePage(
  database: Database,
  scope: HolderScope | AdministratorScope,
  marketplace: Marketplace,
  query: NftSaleListQuery,
): Promise<NftSalePage> {
  const filter = {
    tokenId: query.tokenId ?? null,
    seller: query.seller?.toLowerCase() ?? null,
    state: query.state || null,
  };
  const { items, pageMetaDto } = await getPage(query, (page) => listNftSales(database, scope, filter, page));
  return { sales: items.map((sale) => toNftSale(sale, marketplace)), pageMetaDto };
}

/** Describes sales as they were at these snapshots. */
export async function describeNftSalesAt(
  tx: RunStatement,
  snapshots: readonly string[],
  marketplace: Marketplace,
): Promise<(NftSale | null)[]> {
  const sales = await listNftSalesAt(tx, snapshots);
  return sales.map(
    (sale) => sale && toNftSale({ ...sale, hasExpired: sale.expiresAt < sale.updatedAt }, marketplace),
  );
}

/** Gets a sale, or throws the 404 or 403. */
export async function getNftSale(
  database: Database,
  scope: HolderScope | AdministratorScope,
  marketplace: Marketplace,
  id: string,
): Promise<NftSale> {
  const sale =
    scope.role === 'holder'
      ? await getOwnNftSale(database, scope, id)
      : await findNftSale(database, scope, id);
  if (!sale) throw notFound('Sale');
  return toNftSale(sale, marketplace);
}

/** Gets a sale of the holder, and whether they still own the digital key. Throws the 404 or 403. */
export async function getOwnNftSale(
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<NftSaleRecord & { isOwned: boolean }> {
  const sale = await findOwnNftSale(database, scope, id);
  if (!sale) throw notInScope('Sale', await nftSaleExists(database, id));
  return sale;
}

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
  const { state } = await getOwnNftSale(database, scope, id);
  if (state === 'LISTED') throw new ApiError('SALE_LISTED');
  throw new ApiError('SALE_CLOSED', { message: `The sale is ${state}` });
}
