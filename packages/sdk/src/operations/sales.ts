import type {
  NewSale,
  Sale,
  SaleChange,
  SaleHistory,
  SaleHistoryQuery,
  SaleListQuery,
  SalePage,
  SaleSummary,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The sales pipeline: leads, ongoing, closed. */
export class Sales {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Opens a sale for a client. */
  create(sale: NewSale, options?: CallOptions): Promise<Sale> {
    return this.#call('POST', '/dapp/sales', { ...options, body: sale });
  }

  /** One page of the sales that match. */
  list(query: SaleListQuery = {}, options?: CallOptions): Promise<SalePage> {
    return this.#call('GET', '/dapp/sales', { ...options, query });
  }

  /** Changes a sale; `null` in place of the id changes the own sale of the digital key. */
  async update(id: string | null, change: SaleChange, options?: CallOptions): Promise<Sale> {
    // The service takes an empty one for the own sale, which a mistake must not change.
    if (id === undefined || id === '') throw new TypeError('The id must not be empty');
    return this.#call('PATCH', '/dapp/sales', { ...options, query: { id }, body: change });
  }

  /** How many sales stand where. */
  summary(options?: CallOptions): Promise<SaleSummary> {
    return this.#call('GET', '/dapp/sales/summary', options);
  }

  /** What a sale went through. */
  async history(saleId: string, query: SaleHistoryQuery = {}, options?: CallOptions): Promise<SaleHistory> {
    return this.#call('GET', path`/dapp/sales/${saleId}/history`, { ...options, query });
  }
}
