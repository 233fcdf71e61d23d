import type { NewNftSale, NftSale, NftSaleChange, NftSaleListQuery, NftSalePage } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** Digital keys for sale. */
export class NftSales {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Drafts a sale; its `typedData` is what the owner signs to list it. */
  create(sale: NewNftSale, options?: CallOptions): Promise<NftSale> {
    return this.#call('POST', '/marketplace/nfts/sale', { ...options, body: sale });
  }

  /** One page of the sales that match. */
  list(query: NftSaleListQuery = {}, options?: CallOptions): Promise<NftSalePage> {
    return this.#call('GET', '/marketplace/nfts/sale', { ...options, query });
  }

  /** One sale. */
  async get(id: string, options?: CallOptions): Promise<NftSale> {
    return this.#call('GET', path`/marketplace/nfts/sale/${id}`, options);
  }

  /** Hands in the owner's signature, which moves the sale on. */
  async update(id: string, change: NftSaleChange, options?: CallOptions): Promise<NftSale> {
    return this.#call('PATCH', path`/marketplace/nfts/sale/${id}`, { ...options, body: change });
  }
}
