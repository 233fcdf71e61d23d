/** A request as the load generator sends it. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadJob {
  /** What stands before the path of each request. */
  readonly base: string;
  readonly connections: number;
  /**
   * Each belongs to one connection, which sends its own in turn and goes on in the next job where it was. Under a name,
   * so that many are handed over once.
   */
  readonly requests: { readonly name: string; readonly list: readonly LoadRequest[] | null };
  /** How long, or how many in all. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
}

export interface LoadResult {
  /** Answers of 200 to 299, in a second. */
  readonly rate: number;
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without an answer. */
  readonly failures: number;
  /** How long nineteen of twenty waited at most for a refusal, in milliseconds; 0 where nobody was refused. */
  readonly refusedWithinMs: number;
}
