import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** The service itself. */
export class Health {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** `Success` when the service is there. */
  status(options?: CallOptions): Promise<string> {
    return this.#call('GET', '/public/healthStatus', options);
  }
}
