import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.ts';
import { versionPrefix } from './version-prefix.ts';

/**
 * The target of a request, split once. Router, guard, validation, caches and idempotency all read this one object, so that
 * none of them can see a query where another sees none.
 */
export interface RequestTarget {
  /** Percent-encoded, as it was sent. */
  readonly path: string;
  /** As it was sent, without the `?`; null if there is no `?`. */
  readonly query: string | null;
  /** Path and query. */
  readonly url: string;
  /** The path with a prefix that was sent twice, as a caller signs it. */
  readonly sentPath: string;
  /** Host and port of a target in the absolute form. Null in the usual form. */
  readonly authority: string | null;
}

const parsedTarget = Symbol('parsed request target');

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by `routedPath` for every request. */
    [parsedTarget]?: RequestTarget;
  }
}

/** Everything else must be percent-encoded in a path (RFC 3986, section 3.3). */
const forbiddenInPath = /[^\w\-.~!$&'()*+,;=:@/%]/;
/** A query may also contain what the URL standard leaves as it is: browsers and `fetch` do not encode it. */
const forbiddenInQuery = /[^\w\-.~!$&'()*+,;=:@/?%[\]|\\^{}`]/;
const brokenEncoding = /%(?![\dA-Fa-f]{2})/;
/** The absolute form, which a client sends to a proxy. Every server must accept it (RFC 9112, section 3.2.2). */
const schemeAndAuthority = /^https?:\/\/([^/?]*)/i;
/** The form `/api/v1/api/v1/x`, which the specification spells out, is the same as `/api/v1/x`. */
const doubledPrefix = `${versionPrefix}${versionPrefix}/`;
/** A path that the router cannot decode: Fastify responds with the 400 before it runs any hook. */
const undecodablePath = '/%';

/** Splits a request target. Returns null if it contains what must be percent-encoded. */
function parseRequestTarget(target: string): RequestTarget | null {
  const parts = splitAuthority(target);
  if (parts === null) return null;
  const { authority, origin } = parts;
  if (origin.includes('%') && brokenEncoding.test(origin)) return null;
  const url = origin.startsWith(doubledPrefix) ? origin.slice(versionPrefix.length) : origin;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? null : url.slice(mark + 1);
  if (forbiddenInPath.test(path) || (query !== null && forbiddenInQuery.test(query))) return null;
  return { path, query, url, sentPath: url === origin ? path : versionPrefix + path, authority };
}

/** Splits a target in the absolute form into its authority and the origin form. */
function splitAuthority(
  target: string,
): { readonly authority: string | null; readonly origin: string } | null {
  if (target.startsWith('/')) return { authority: null, origin: target };
  const [prefix, authority] = schemeAndAuthority.exec(target) ?? [];
  if (prefix === undefined) return null;
  const rest = target.slice(prefix.length);
  return { authority: authority || null, origin: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Parses the target of a request and returns the path to route by. The router never sees a query. */
export function routedPath(request: IncomingMessage): string {
  const target = parseRequestTarget(request.url ?? '');
  if (!target) return undecodablePath;
  request[parsedTarget] = target;
  return target.path;
}

/** The target of a request that was routed. */
export function targetOf({ raw }: { readonly raw: IncomingMessage }): RequestTarget {
  const target = raw[parsedTarget] ?? parseRequestTarget(raw.url ?? '');
  if (!target) throw new ApiError('MALFORMED_REQUEST');
  return target;
}
