import type { Query } from './requests/query.ts';

/** Options of every call. */
export interface CallOptions {
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request, and the pause between two attempts. */
  readonly signal?: AbortSignal;
  /**
   * Key of a POST. A second request with the same key returns the response of the first one. The default is a new random
   * key for each call. Operations that take no key ignore it.
   */
  readonly idempotencyKey?: string;
}

/** Options of `request`. */
export interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON. Strings and bytes are sent unchanged. */
  readonly body?: unknown;
}

/** Options of `sign`. */
export interface SignOptions extends RequestOptions {
  /** The form of this signature. The default is that of the client, and `bound` as long as the service has not decided. */
  readonly signatures?: 'bound' | 'simple';
}
