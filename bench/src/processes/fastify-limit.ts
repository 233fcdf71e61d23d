/** What the limit is made of. */
export interface FastifyLimitQuestion {
  /** What every answer consists of. */
  readonly body: string;
  /** The key whose signatures of the digest are verified. */
  readonly point: Uint8Array;
  readonly digest: Uint8Array;
  /** Where `/order/:id` is looked up. */
  readonly databaseUrl: string;
  readonly poolSize: number;
}

export interface FastifyLimitAnswer {
  readonly origin: string;
}
