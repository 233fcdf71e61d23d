import type { RequestTarget } from '../../lib/request/request-target.ts';
import { versionPrefix } from '../../lib/request/version-prefix.ts';

/** The parts of a request that a signature may cover, as the caller sees them. */
export interface RequestAddress {
  readonly scheme: string;
  /** Host and port, in lower case and without the default port of the scheme. */
  readonly authority: string;
  /** Encoded, as it was sent. */
  readonly path: string;
  /** As it was sent, without the `?`; null if there is no `?`. */
  readonly query: string | null;
}

/** Where callers reach the service. */
export interface PublicAddress {
  readonly scheme: string;
  readonly authority: string;
  /** What a proxy in front of the service removes from each path. */
  readonly prefix: string;
}

/** Reads the public address from the base URL that the operator has set. */
export function readPublicAddress(baseUrl: string): PublicAddress {
  const { protocol, host, pathname } = new URL(baseUrl);
  const scheme = protocol.slice(0, -1);
  const prefix = pathname.endsWith(versionPrefix) ? pathname.slice(0, -versionPrefix.length) : '';
  return { scheme, authority: host, prefix };
}

const defaultPort = { http: /:80$/, https: /:443$/ };

/**
 * The address of a request as its caller sees it: that of the operator, or else what `Host` says. A target in the
 * absolute form comes before `Host` (RFC 9112, section 3.2.2). Its scheme does not count: the connection shows whether
 * it is encrypted.
 */
export function addressOf(
  { sentPath, query, authority: sentAuthority }: RequestTarget,
  sent: { readonly protocol: string; readonly host: string | undefined },
  publicAddress: PublicAddress | null,
): RequestAddress {
  if (publicAddress) {
    const { scheme, authority, prefix } = publicAddress;
    return { scheme, authority, path: prefix + sentPath, query };
  }
  const scheme = sent.protocol === 'https' ? 'https' : 'http';
  const authority = (sentAuthority ?? sent.host ?? '').toLowerCase().replace(defaultPort[scheme], '');
  return { scheme, authority, path: sentPath, query };
}

/** The whole URL of a request. */
export function urlOf({ scheme, authority, path, query }: RequestAddress): string {
  return `${scheme}://${authority}${path}${query === null ? '' : `?${query}`}`;
}

/** The value of a component (RFC 9421, section 2). Null for a header that the request does not have. */
export function readComponent(
  name: string,
  method: string,
  address: RequestAddress,
  rawHeaders: readonly string[],
): string | null {
  const { scheme, authority, path, query } = address;
  switch (name) {
    case '@method':
      return method;
    case '@target-uri':
      return urlOf(address);
    case '@authority':
      return authority;
    case '@scheme':
      return scheme;
    case '@request-target':
      return path + (query === null ? '' : `?${query}`);
    case '@path':
      return path;
    case '@query':
      return `?${query ?? ''}`;
    default:
      return fieldValueOf(name, rawHeaders);
  }
}

/** All values of a header, joined. Not those that Node has parsed: of some headers it keeps only the first. */
function fieldValueOf(name: string, rawHeaders: readonly string[]): string | null {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(trimBlanks(rawHeaders[at + 1] ?? ''));
  }
  return values.length === 0 ? null : values.join(', ');
}

/**
 * Removes spaces and tabs around a value. `trim` would also remove others, such as a no-break space, which are part of
 * the value.
 */
function trimBlanks(value: string): string {
  const isBlank = (at: number) => value[at] === ' ' || value[at] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return value.slice(start, end);
}
