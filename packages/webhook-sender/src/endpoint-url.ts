import { isIP } from 'node:net';
import { maximumWebhookUrlLength } from '@keyfront/protocol';
import { type AddressPolicy, isAllowedAddress } from './endpoint-addresses.ts';
import type { ResolveHost } from './resolve-host.ts';

/** What endpoints of webhooks may be. */
export interface EndpointRules {
  /** Whether endpoints on this machine are allowed, also without TLS. Only in a demo. */
  readonly allowsLoopback: boolean;
  readonly resolve: ResolveHost;
}

/** The addresses that a URL may lead to. Without TLS, only this machine. */
export function addressPolicyOf(url: URL, { allowsLoopback }: EndpointRules): AddressPolicy {
  return { allowsPublic: url.protocol === 'https:', allowsLoopback };
}

/** Reads the host of a URL as `isIP` and a name server understand it. The dot at the end of a name says nothing. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

/** Writes a URL as it is called: an endpoint is stored and shown in this form, whatever was typed. */
export function normalizeEndpoint(text: string): string {
  return new URL(text).href;
}

/**
 * Finds out why a URL cannot be an endpoint: it is not https, or its host has an address that is not public. A delivery checks the
 * address again when it connects, because a name may get another address at any time.
 */
export async function findEndpointIssues(text: string, rules: EndpointRules): Promise<string[]> {
  const expected = rules.allowsLoopback
    ? 'url must be an https URL, or an http URL of this machine'
    : 'url must be an https URL';
  // The parser would drop line breaks and blanks. They are a mistake of the caller, such as two lines of a file.
  const url = URL.canParse(text) && !/[\s\p{Cc}]/u.test(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' && rules.allowsLoopback;
  if (!url || (url.protocol !== 'https:' && !isHttp)) return [expected];
  if (url.username !== '' || url.password !== '') return ['url must not contain a user name or a password'];
  if (url.href.length > maximumWebhookUrlLength)
    return [`url must have at most ${maximumWebhookUrlLength} characters when it is percent-encoded`];
  const host = hostOf(url);
  if (isIP(host) === 0 && host.split('.').includes(''))
    return ['url must have a host name without empty parts'];
  const addresses = isIP(host) === 0 ? await rules.resolve(host) : [host];
  const policy = addressPolicyOf(url, rules);
  // A name without an address may get one later. Without TLS it would have to be one of this machine.
  if (isHttp && addresses.length === 0) return [expected];
  if (addresses.every((address) => isAllowedAddress(address, policy))) return [];
  return [
    isHttp
      ? expected
      : 'url must have a public address: private, loopback, link-local and reserved ones are refused',
  ];
}
