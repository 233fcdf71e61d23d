import { findChain } from '@keyfront/evm';
import { addNftSaleRoutes } from '../../resources/nft-sales/nft-sale-routes.ts';
import { addTransactionRoutes } from '../../resources/transactions/transaction-routes.ts';
import type { Area } from './area.ts';
import type { IdentityDependencies } from './identity-area.ts';

/** Sales of digital keys, and the transactions of the chain. */
export function addMarketplace(
  { router, database, catalogueCache, marketplace }: Area,
  { signIn }: Pick<IdentityDependencies, 'signIn'>,
): void {
  addNftSaleRoutes(router, database, { marketplace, chain: findChain(signIn) }, catalogueCache.listings);
  addTransactionRoutes(router, database);
}
