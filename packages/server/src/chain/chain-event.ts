/** Where on the chain something happened. */
export interface ChainPlace {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly txHash: string;
  readonly logIndex: number;
}

/** What one event says. Addresses are in lower case, amounts in wei. */
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

/** By token and transaction, the sales that were completed: the transfer of the token in it ends all others. */
export function soldIn(facts: readonly ChainEvent[]): ReadonlyMap<string, string> {
  return new Map(facts.flatMap((fact) => (fact.kind === 'sold' ? [[nameTransfer(fact), fact.saleId]] : [])));
}

/** Names a token within a transaction. */
export function nameTransfer({ place, tokenId }: Pick<ChainEvent, 'place' | 'tokenId'>): string {
  return `${place.txHash} ${tokenId}`;
}
