/** Configures the Fastify limit server. */
export interface FastifyLimitJob {
  /** The body of every response. */
  readonly body: string;
  /** The public key that verifies signatures of the digest. */
  readonly point: Uint8Array;
  readonly digest: Uint8Array;
  /** The database that `/order/:id` queries. */
  readonly databaseUrl: string;
  readonly poolSize: number;
}

export interface FastifyLimitResult {
  readonly origin: string;
}
