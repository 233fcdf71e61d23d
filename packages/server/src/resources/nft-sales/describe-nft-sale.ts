import type { NftSale, NftSaleState } from '@keyfront/protocol';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { SaleRecord } from './nft-sale-record.ts';
import { describeStep, type Marketplace, type SaleStep } from './typed-data.ts';

const steps: Readonly<Record<NftSaleState, SaleStep | null>> = {
  DRAFT: 'Listing',
  LISTED: 'Cancellation',
  CANCELLED: null,
  SOLD: null,
};

/** The step that the owner may sign next; null where the sale has come to its end. */
export function nextStep({ state, hasExpired }: Pick<SaleRecord, 'state' | 'hasExpired'>): SaleStep | null {
  return hasExpired ? null : steps[state];
}

/** The sale as callers see it, with what its owner may sign next. */
export function describeSale({ hasExpired, ...sale }: SaleRecord, marketplace: Marketplace): NftSale {
  const step = nextStep({ state: sale.state, hasExpired });
  return {
    ...sale,
    seller: toChecksumAddress(sale.seller),
    typedData: step && describeStep(step, sale, marketplace),
  };
}
