import type { RetrySafety } from './operation-route.ts';

export interface RepeatableRequest {
  readonly method: string;
  readonly body: Uint8Array | null;
  /** What the operation table says; undefined for a request that matches no known operation. */
  readonly retry?: RetrySafety | undefined;
  /** Chosen by the caller, who knows that the operation takes one. */
  readonly idempotencyKey?: string | undefined;
}

/** Methods whose effect is the same if the request is sent twice (RFC 9110, section 9.2.2). */
const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether a request may be sent again if the outcome of the first attempt is unknown. */
export function isRepeatable({ method, body, retry, idempotencyKey }: RepeatableRequest): boolean {
  // A newer service may have operations that this version does not know, and not every POST takes an idempotency key.
  if (retry === undefined)
    return idempotentMethods.has(method) || (method === 'POST' && idempotencyKey !== undefined);
  return typeof retry === 'string' ? retry !== 'never' : !hasAnyField(body, retry.unless);
}

/** Whether the request gets an `Idempotency-Key`. */
export function needsIdempotencyKey({ method, retry }: Pick<RepeatableRequest, 'method' | 'retry'>): boolean {
  return retry === undefined ? method === 'POST' : retry === 'idempotency-key';
}

function hasAnyField(body: Uint8Array | null, fields: readonly string[]): boolean {
  if (!body) return false;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null && fields.some((field) => Object.hasOwn(value, field));
  } catch {
    // The service rejects a body that is not JSON.
    return false;
  }
}
