/** A request as the load generator sends it. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One run of the load generator. */
export interface LoadJob {
  /** The URL prefix of every request. */
  readonly base: string;
  readonly connections: number;
  /**
   * Each request belongs to one connection. A connection cycles through its requests and continues in the next job where it
   * stopped. The list is sent with the first job only; later jobs refer to it by name.
   */
  readonly requests: { readonly name: string; readonly list: readonly LoadRequest[] | null };
  /** The duration of the run, or the total number of responses. */
  readonly until: { readonly seconds: number } | { readonly responses: number };
}

export interface LoadResult {
  /** 2xx responses per second. */
  readonly rate: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without a response. */
  readonly failures: number;
  /** The 95th percentile of the latency of responses with an error status; 0 without any. */
  readonly refusedWithinMs: number;
}
