import type { NewStrain, Strain, StrainChange } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** Changes of the catalogue. */
export class AdminStrains {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds a strain. */
  create(strain: NewStrain, options?: CallOptions): Promise<Strain> {
    return this.#call('POST', '/admin/strains', { ...options, body: strain });
  }

  /** Changes the fields that are given. A `stockChange` is sent once: nobody knows whether a lost one counted. */
  async update(strainId: string, change: StrainChange, options?: CallOptions): Promise<Strain> {
    return this.#call('PATCH', path`/admin/strains/${strainId}`, { ...options, body: change });
  }
}
