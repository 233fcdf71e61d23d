import type { RequestAddress } from '@keyfront/signatures';
import type { RequestTarget } from '../lib/request/request-target.ts';
import { versionPrefix } from '../lib/request/version-prefix.ts';

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
