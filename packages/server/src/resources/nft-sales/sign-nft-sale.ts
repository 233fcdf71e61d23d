import type { NftSale, NftSaleChange } from '@keyfront/protocol';
import { ApiError, notInScope } from '../../api-error.ts';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { Chain } from '../../chain/smart-wallet.ts';
import { findSignatureFault } from '../../chain/wallet-signature.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import { describeSale, nextStep } from './describe-nft-sale.ts';
import { findOwnSale, nftSaleExists } from './nft-sale-queries.ts';
import { takeStep } from './sign-nft-sale-queries.ts';
import { hashStep, type Marketplace } from './typed-data.ts';

export interface SigningRules {
  readonly marketplace: Marketplace;
  /** Where smart wallets are asked; null: they cannot sell. */
  readonly chain: Chain | null;
}

/**
 * Moves a sale on by the owner's signature: a draft is listed, what is listed is cancelled. The signature is verified
 * while nothing is locked, since the chain may take its time; then the sale moves only if all is still as it was.
 */
export async function signNftSale(
  database: Database,
  scope: HolderScope,
  rules: SigningRules,
  id: string,
  change: NftSaleChange,
): Promise<NftSale> {
  const { tokenId, signature } = change;
  const sale = await findOwnSale(database, scope, id);
  if (!sale) throw notInScope('Sale', await nftSaleExists(database, id));
  if (sale.tokenId !== tokenId) throw new ApiError('SALE_TOKEN_MISMATCH');
  if (sale.state === 'SOLD' || sale.state === 'CANCELLED')
    throw new ApiError('SALE_CLOSED', { message: `The sale is ${sale.state}` });
  const step = nextStep(sale);
  if (!step) throw new ApiError('SALE_EXPIRED');
  if (!sale.isOwned) throw new ApiError('NOT_OWNED', { message: 'The digital key is no longer yours' });

  const hash = await hashStep(step, sale, rules.marketplace);
  const fault = await findSignatureFault(
    { hash, signature, address: toChecksumAddress(sale.seller) },
    rules.chain,
  );
  if (fault !== null)
    throw new ApiError('OWNER_SIGNATURE_INVALID', {
      message: fault.charAt(0).toUpperCase() + fault.slice(1),
    });

  const moved = await takeStep(database, scope, step, {
    id,
    signature: Buffer.from(signature.slice(2), 'hex'),
  });
  if (moved) return describeSale(moved, rules.marketplace);
  // Something came between. It is answered by what the sale has become, which no signature for the past moves on.
  return signNftSale(database, scope, rules, id, change);
}
