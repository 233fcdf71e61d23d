/**
 * Whether a request may be sent again if the outcome of the first attempt is unknown:
 * - `safe`: yes, the result is the same;
 * - `idempotency-key`: yes, with the same `Idempotency-Key`;
 * - `never`: no, the service executes it again;
 * - `unless`: yes, unless the body has one of these fields.
 */
export type RetrySafety = 'safe' | 'idempotency-key' | 'never' | { readonly unless: readonly string[] };

/** What the client knows of an operation at run time. */
export interface OperationRoute {
  readonly method: string;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly retry: RetrySafety;
  /** Whether it needs no credentials, so that its response says nothing about them. */
  readonly isPublic?: boolean;
  /** The type of a body that is a file. Other bodies are JSON. */
  readonly contentType?: string;
}
