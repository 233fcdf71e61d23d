import type { Query } from './requests/query.ts';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request, and the waiting between two attempts. */
  readonly signal?: AbortSignal;
  /** Of a POST: the same key gives the answer of the first request again. Made anew for each when not given. */
  readonly idempotencyKey?: string;
}

export interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
}
