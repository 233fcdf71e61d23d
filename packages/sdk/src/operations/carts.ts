import type {
  CartAddition,
  CartListQuery,
  CartOfClient,
  CartPage,
  CartRemovalQuery,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** What clients are about to order. */
export class Carts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds to the cart of a client. */
  add(addition: CartAddition, options?: CallOptions): Promise<CartOfClient> {
    return this.#call('POST', '/dapp/carts', { ...options, body: addition });
  }

  /** One page of clients with their carts. */
  list(query: CartListQuery = {}, options?: CallOptions): Promise<CartPage> {
    return this.#call('GET', '/dapp/carts', { ...options, query });
  }

  /** Takes one strain out of a cart; everything when no strain is named. */
  async delete(cartId: string, query: CartRemovalQuery = {}, options?: CallOptions): Promise<CartOfClient> {
    // It would be left out of the address, and the cart would be emptied by mistake.
    if ('strainId' in query && !query.strainId) throw new TypeError('strainId must not be empty');
    return this.#call('DELETE', path`/dapp/carts/${cartId}`, { ...options, query });
  }
}
