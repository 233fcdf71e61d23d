import { toChecksumAddress } from '@keyfront/evm';
import type { NftSale, NftSaleState } from '@keyfront/protocol';
import type { NftSaleRecord } from './nft-sale-record.ts';
import { buildSaleTypedData, type Marketplace, type SaleStep } from './typed-data.ts';

const steps: Readonly<Record<NftSaleState, SaleStep | null>> = {
  DRAFT: 'Listing',
  LISTED: 'Cancellation',
  CANCELLED: null,
  SOLD: null,
};

/** Finds the step that the owner may sign next. Returns null if the sale has ended or expired. */
export function findNextStep({
  state,
  hasExpired,
}: Pick<NftSaleRecord, 'state' | 'hasExpired'>): SaleStep | null {
  return hasExpired ? null : steps[state];
}

/** Converts a sale to its response, with the typed data of the next step. */
export function toNftSale(record: NftSaleRecord, marketplace: Marketplace): NftSale {
  const { hasExpired: _expired, nonce: _nonce, ...sale } = record;
  const step = findNextStep(record);
  return {
    ...sale,
    seller: toChecksumAddress(sale.seller),
    typedData: step && buildSaleTypedData(step, record, marketplace),
  };
}
