import type { TransactionListQuery, TransactionPage } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** What became of digital keys on the chain. */
export class Transactions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page of the transactions of the caller's wallet, the newest first. */
  list(query: TransactionListQuery = {}, options?: CallOptions): Promise<TransactionPage> {
    return this.#call('GET', '/marketplace/transactions/user', { ...options, query });
  }
}
