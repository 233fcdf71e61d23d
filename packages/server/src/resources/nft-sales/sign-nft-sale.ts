import { type Chain, findSignatureFault, toChecksumAddress } from '@keyfront/evm';
import type { NftSale, NftSaleChange } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { getOwnNftSale } from './nft-sale-rules.ts';
import { applySaleStep } from './sign-nft-sale-queries.ts';
import { findNextStep, toNftSale } from './to-nft-sale.ts';
import { hashSaleTypedData, type Marketplace } from './typed-data.ts';

export interface SigningRules {
  readonly marketplace: Marketplace;
  /** The chain that verifies signatures of smart wallets. Null: smart wallets cannot sell. */
  readonly chain: Chain | null;
}

/**
 * Applies the signature of the owner: lists a draft, or cancels a listed sale. Verification may wait for the chain, so it
 * holds no lock. The update then succeeds only if nothing has changed.
 */
export async function signNftSale(
  database: Database,
  scope: HolderScope,
  rules: SigningRules,
  id: string,
  change: NftSaleChange,
): Promise<NftSale> {
  const { tokenId, signature } = change;
  const sale = await getOwnNftSale(database, scope, id);
  if (sale.tokenId !== tokenId) throw new ApiError('SALE_TOKEN_MISMATCH');
  if (sale.state === 'SOLD' || sale.state === 'CANCELLED')
    throw new ApiError('SALE_CLOSED', { message: `The sale is ${sale.state}` });
  const step = findNextStep(sale);
  if (!step) throw new ApiError('SALE_EXPIRED');
  if (!sale.isOwned) throw new ApiError('NOT_OWNED', { message: 'The digital key is no longer yours' });

  const hash = await hashSaleTypedData(step, sale, rules.marketplace);
  const fault = await findSignatureFault(
    { hash, signature, address: toChecksumAddress(sale.seller) },
    rules.chain,
  );
  if (fault !== null)
    throw new ApiError('OWNER_SIGNATURE_INVALID', {
      message: fault.charAt(0).toUpperCase() + fault.slice(1),
    });

  const moved = await applySaleStep(database, scope, step, {
    id,
    signature: Buffer.from(signature.slice(2), 'hex'),
  });
  if (moved) return toNftSale(moved, rules.marketplace);
  // The sale has changed meanwhile. Retrying returns the error for its new state, because this signature no longer applies.
  return signNftSale(database, scope, rules, id, change);
}
