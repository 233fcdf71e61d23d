import { nftSaleOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { ResponseCache } from '../../pipeline/responses/response-cache.ts';
import { getNftListingPage } from './nft-listing-rules.ts';
import { createNftSale, getNftSale, getNftSalePage, withdrawNftSale } from './nft-sale-rules.ts';
import { type SigningRules, signNftSale } from './sign-nft-sale.ts';

export function addNftSaleRoutes(
  router: OperationRouter,
  database: Database,
  rules: SigningRules,
  listings: ResponseCache,
): void {
  const { marketplace } = rules;

  router.add(nftSaleOperations.createNftSale, ({ scope, body, tx }) =>
    createNftSale(tx, database, scope, marketplace, body),
  );
  router.add(
    nftSaleOperations.updateNftSale,
    ({ scope, parameters, body }) => signNftSale(database, scope, rules, parameters.id, body),
    // Sellers must see their own change immediately.
    { after: () => listings.clear() },
  );
  router.add(nftSaleOperations.withdrawNftSale, ({ scope, parameters }) =>
    withdrawNftSale(database, scope, marketplace, parameters.id),
  );
  router.add(nftSaleOperations.listNftSales, ({ scope, query }) =>
    getNftSalePage(database, scope, marketplace, query),
  );
  router.add(nftSaleOperations.getNftSale, ({ scope, parameters }) =>
    getNftSale(database, scope, marketplace, parameters.id),
  );
  router.add(
    nftSaleOperations.listNftListings,
    ({ query }) => getNftListingPage(database, marketplace, query),
    { cache: listings },
  );
}
