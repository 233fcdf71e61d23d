import { signedPayload } from '../generated/canonical-payload.ts';
import { encodeQuery, type Query } from './query.ts';

/** A request as the caller describes it. */
export interface RequestToPrepare {
  readonly method: string;
  /** Relative to `/api/v1`, with its parameters filled in. It may contain a query. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON. Strings and bytes are sent unchanged. */
  readonly body?: unknown;
}

/** A request as it is sent. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** The query of the URL, without the `?`; null if there is none. */
  readonly query: string | null;
  readonly body: Uint8Array | null;
  /** The bytes that the signature covers. */
  readonly payload: Uint8Array;
}

/** Encodes the URL and the body of a request once, so that the signed bytes are the bytes that are sent. */
export function prepareRequest(baseUrl: string, request: RequestToPrepare): PreparedRequest {
  const method = request.method.toUpperCase();
  const path = request.path.startsWith('/') ? request.path : `/${request.path}`;
  const added = encodeQuery(request.query ?? '');
  const separator = path.includes('?') ? '&' : '?';
  // The query is read back from the URL, which may encode it further: that is what `fetch` sends.
  const url = new URL(baseUrl + path + (added && separator + added));
  url.hash = '';
  const query = url.search.slice(1) || null;
  const body = encodeBody(request.body);
  return { method, url: url.href, query, body, payload: signedPayload({ method, query, body }) };
}

function encodeBody(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
