import {
  defaultNftSaleCurrency,
  type NewNftSale,
  type NftSale,
  type NftSaleListQuery,
  type NftSalePage,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notInScope, validationFailed } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { refuseToken } from '../holders/holder-rules.ts';
import { describeSale } from './describe-nft-sale.ts';
import {
  findOwnSale,
  findSale,
  insertSale,
  listSales,
  nftSaleExists,
  ownsToken,
} from './nft-sale-queries.ts';
import type { Marketplace } from './typed-data.ts';

/** Drafts the sale of a digital key of the caller's wallet, for its owner to sign. */
export async function createNftSale(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  marketplace: Marketplace,
  { tokenId, price, currency = defaultNftSaleCurrency }: NewNftSale,
): Promise<NftSale> {
  if (!/[1-9]/.test(price)) throw validationFailed(['price must be greater than 0']);
  const sale = await insertSale(run, scope, { tokenId, price, currency });
  if (sale) return describeSale(sale, marketplace);
  if (!(await ownsToken(run, scope, tokenId))) throw await refuseToken(database, tokenId);
  throw new ApiError('SALE_ALREADY_OPEN');
}

/** The page of sales that a query asks for: the holder's own, or for an administrator all. */
export async function getNftSalePage(
  database: Database,
  scope: HolderScope | AdministratorScope,
  marketplace: Marketplace,
  query: NftSaleListQuery,
): Promise<NftSalePage> {
  const page = pageRequest(query);
  const filter = {
    tokenId: query.tokenId || null,
    seller: query.seller?.toLowerCase() || null,
    state: query.state || null,
  };
  const { sales, itemCount } = await listSales(database, scope, filter, page);
  return {
    sales: sales.map((sale) => describeSale(sale, marketplace)),
    pageMetaDto: pageMeta(page, itemCount),
  };
}

/** The sale, or the 404 or 403. */
export async function getNftSale(
  database: Database,
  scope: HolderScope | AdministratorScope,
  marketplace: Marketplace,
  id: string,
): Promise<NftSale> {
  const sale =
    scope.role === 'holder' ? await findOwnSale(database, scope, id) : await findSale(database, scope, id);
  if (!sale) throw notInScope('Sale', await nftSaleExists(database, id));
  return describeSale(sale, marketplace);
}
