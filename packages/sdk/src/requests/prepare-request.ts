import { signedPayload } from '@keyfront/protocol/canonical-payload';
import { encodeQuery, type Query } from './query.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What is asked for, in words of the caller. */
export interface RequestToPrepare {
  readonly method: string;
  /** Relative to `/api/v1`, parameters filled in; it may hold a query. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
}

/** The same as it goes over the wire. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** As it stands in the address, without the `?`; null where there is none. */
  readonly query: string | null;
  readonly body: Uint8Array | null;
  /** What the signature covers. */
  readonly payload: Uint8Array;
}

/** Makes the address and the bytes of a request once, so that what is signed is what is sent. */
export function prepareRequest(baseUrl: string, request: RequestToPrepare): PreparedRequest {
  const method = request.method.toUpperCase();
  const path = request.path.startsWith('/') ? request.path : `/${request.path}`;
  const added = encodeQuery(request.query ?? '');
  const joint = path.includes('?') ? '&' : '?';
  // Read back from the URL, which may have encoded it further: that is what `fetch` sends.
  const url = new URL(baseUrl + path + (added && joint + added));
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
