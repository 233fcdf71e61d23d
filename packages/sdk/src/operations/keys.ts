import type { ApiKey, CreatedKey, KeyListQuery, KeyPage, NewKey } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The keys that sign requests. For a signed-in wallet. */
export class Keys {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Makes a key, or registers a public key of your own. The secret is in this answer and nowhere else. */
  create(key: NewKey, options?: CallOptions): Promise<CreatedKey> {
    return this.#call('POST', '/keys', { ...options, body: key });
  }

  /** One page of the keys, revoked ones included. */
  list(query: KeyListQuery = {}, options?: CallOptions): Promise<KeyPage> {
    return this.#call('GET', '/keys', { ...options, query });
  }

  /** Gives a key another name. */
  async rename(id: string, keyName: string, options?: CallOptions): Promise<ApiKey> {
    return this.#call('PATCH', path`/keys/${id}`, { ...options, body: { keyName } });
  }

  /** Revokes a key, at once and for good. */
  async revoke(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.#call('DELETE', path`/keys/${id}`, options);
  }
}
