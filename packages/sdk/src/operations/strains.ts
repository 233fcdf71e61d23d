import type { Strain, StrainListQuery, StrainPage } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The catalogue that a storefront shows. */
export class Strains {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page of the strains that match. */
  list(query: StrainListQuery = {}, options?: CallOptions): Promise<StrainPage> {
    return this.#call('GET', '/dapp/strains', { ...options, query });
  }

  /** One strain. */
  async get(strainId: string, options?: CallOptions): Promise<Strain> {
    return this.#call('GET', path`/dapp/strains/${strainId}`, options);
  }
}
