import type { Method, Operation } from '@keyfront/protocol';
import type { onRequestHookHandler } from 'fastify';
import { notFound } from '../../lib/errors/api-error.ts';
import { versionPrefix } from '../../lib/request/version-prefix.ts';

type PathParameters = Readonly<Record<string, string>>;

/** Another address of an operation, for storefronts that were written for it. */
export interface RouteAlias {
  readonly operation: string;
  readonly method: Method;
  /** Relative to `/api/v1`. A parameter that the operation has in its query may be part of the path. */
  readonly path: string;
  /** Whether the result belongs to the other resource that the path names. If not, it does not exist at this address. */
  readonly isWithin?: (data: unknown, parameters: PathParameters) => boolean;
}

/** An operation at one of its addresses. */
export type AliasedOperation = Operation & {
  /** The query parameters that the path of this address contains. */
  readonly queryInPath?: readonly string[];
  /** The number of items per page, where it is not the usual one. */
  readonly defaultTake?: number;
};

/** The storefronts that call other addresses of lists do not page. */
const aliasTake = 100;

/** ISO 8601 date of the `Deprecation` header of every other address. */
const since = '2026-11-15';

export function toRouteUrl(path: string): string {
  return versionPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Returns the operation as it is at another address. */
export function atAlias(operation: Operation, { path, method }: RouteAlias): AliasedOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isInQuery = (name: string) => Object.hasOwn(operation.query?.properties ?? {}, name);
  const queryInPath = names.filter(isInQuery);
  return { ...operation, method, queryInPath, ...(isInQuery('take') && { defaultTake: aliasTake }) };
}

/** The headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` of a deprecated operation. */
export function deprecationHeaders({
  since,
  sunset,
  successor,
}: NonNullable<Operation['deprecated']>): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset && { sunset: new Date(sunset).toUTCString() }),
    ...(successor && { link: `<${versionPrefix}${successor}>; rel="successor-version"` }),
  };
}

/** Adds `Deprecation` and a `Link` to the address of the operation to every response. */
export function linkToOperation({ path, queryInPath = [] }: AliasedOperation): onRequestHookHandler {
  return (request, reply, done) => {
    const parameters = request.params as PathParameters;
    const encode = (name: string) => encodeURIComponent(parameters[name] ?? '');
    const query = queryInPath.map((name) => `${name}=${encode(name)}`).join('&');
    const successor =
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(name)) + (query && `?${query}`);
    reply.headers(deprecationHeaders({ since, successor }));
    done();
  };
}

/** Throws the 404 if the result does not belong to the other resource that the path names. */
export function requireWithin({ isWithin }: RouteAlias, data: unknown, parameters: PathParameters): void {
  if (isWithin && !isWithin(data, parameters)) throw notFound('Resource');
}
