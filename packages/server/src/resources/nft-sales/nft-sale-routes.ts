import { nftSaleOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import type { ResponseCache } from '../../pipeline/responses/response-cache.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { getNftListingPage } from './nft-listing-rules.ts';
import { createNftSale, getNftSale, getNftSalePage } from './nft-sale-rules.ts';
import { type SigningRules, signNftSale } from './sign-nft-sale.ts';
import { withdrawNftSale } from './withdraw-nft-sale.ts';

export function bindNftSales(
  binder: OperationBinder,
  database: Database,
  rules: SigningRules,
  listings: ResponseCache,
): void {
  const { marketplace } = rules;

  binder.bind(nftSaleOperations.createNftSale, ({ scope, body, run }) =>
    createNftSale(run, database, requireHolder(scope), marketplace, body),
  );
  binder.bind(
    nftSaleOperations.updateNftSale,
    ({ scope, parameters, body }) => signNftSale(database, requireHolder(scope), rules, parameters.id, body),
    // Sellers must see their own change immediately.
    { after: () => listings.clear() },
  );
  binder.bind(nftSaleOperations.withdrawNftSale, ({ scope, parameters }) =>
    withdrawNftSale(database, requireHolder(scope), marketplace, parameters.id),
  );
  binder.bind(nftSaleOperations.listNftSales, ({ scope, query }) =>
    getNftSalePage(database, scope, marketplace, query),
  );
  binder.bind(nftSaleOperations.getNftSale, ({ scope, parameters }) =>
    getNftSale(database, scope, marketplace, parameters.id),
  );
  binder.bind(
    nftSaleOperations.listNftListings,
    ({ query }) => getNftListingPage(database, marketplace, query),
    { cache: listings },
  );
}
