/** The position of a log on the chain. */
export interface ChainPlace {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly txHash: string;
  readonly logIndex: number;
}

/** A decoded log. Addresses are in lower case, amounts in wei. */
export type ChainEvent = { readonly place: ChainPlace; readonly tokenId: number } & (
  | { readonly kind: 'transfer'; readonly from: string; readonly to: string }
  | { readonly kind: 'listed'; readonly saleId: string; readonly owner: string; readonly price: bigint }
  | { readonly kind: 'cancelled'; readonly saleId: string; readonly owner: string }
  | {
      readonly kind: 'sold';
      readonly saleId: string;
      readonly seller: string;
      readonly buyer: string;
      readonly price: bigint;
    }
);

/** Maps token and transaction to the completed sale. The transfer of the token in that transaction cancels all other sales. */
export function mapCompletedSales(events: readonly ChainEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) => (event.kind === 'sold' ? [[makeTransferKey(event), event.saleId]] : [])),
  );
}

/** Makes the key of a token within a transaction. */
export function makeTransferKey({ place, tokenId }: Pick<ChainEvent, 'place' | 'tokenId'>): string {
  return `${place.txHash} ${tokenId}`;
}
