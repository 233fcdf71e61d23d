export { digitalKeyAbi, marketplaceAbi } from './abis.ts';
export { type CompiledContract, compileContracts, readCompilerInput } from './compile-contracts.ts';
export { type Deployment, deployContracts } from './deploy.ts';
export { findAnvil } from './find-anvil.ts';
export { localChain } from './local-chain.ts';
export { type Contracts, readContracts } from './read-contracts.ts';
export { type Anvil, type AnvilOptions, startAnvil } from './start-anvil.ts';
export {
  cancellationTypedData,
  type Listing,
  listingTypedData,
  type MarketplaceDomain,
  saleIdBytes,
} from './typed-data.ts';
