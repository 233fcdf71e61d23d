import type { Planet } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** Planets: what the digital keys and the strains belong to. */
export class Planets {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** All planets, by their number. */
  list(options?: CallOptions): Promise<{ planets: Planet[] }> {
    return this.#call('GET', '/planets', options);
  }
}
