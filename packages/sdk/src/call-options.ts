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

/** Options of `request` and `sign`. */
export interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON. Strings and bytes are sent unchanged. */
  readonly body?: unknown;
}
