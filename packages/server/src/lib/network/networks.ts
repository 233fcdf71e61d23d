import { isIP } from 'node:net';
import { BoundedMap } from '@keyfront/bounded-map';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Network {
  /** The first address of the network. */
  readonly start: Address;
  readonly prefix: number;
}

const widths = { ipv4: 32, ipv6: 128 } as const;
const loopback = ['127.0.0.0/8', '::1/128'];

/**
 * Returns a function that tells whether an address belongs to one of the networks. An IPv4 address in the notation of
 * IPv6 counts as IPv4: it belongs to networks of IPv4 only, and no network of IPv6 contains it.
 */
export function compileNetworks(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const ranges = networks
    .flatMap((each) => (each === 'loopback' ? loopback : [each]))
    .flatMap((each) => parseNetwork(each) ?? []);
  return (text) => {
    // The zone of a link-local address names an interface of this machine.
    const [withoutZone = ''] = text.split('%');
    const address = parseAddress(withoutZone);
    if (!address) return false;
    const version = address.kind();
    return ranges.some(({ start, prefix }) => start.kind() === version && address.match(start, prefix));
  };
}

/**
 * Writes an address, or a network in CIDR notation, in the one form that all spellings of it share: `203.0.113.0/24`,
 * `2001:db8::/32`. Networks of IPv4 in the notation of IPv6 become networks of IPv4. Returns null for any other text.
 */
export function canonicalizeNetwork(text: string): string | null {
  const network = parseNetwork(text);
  return network && `${network.start}/${network.prefix}`;
}

/** The largest networks that can be trusted: 10.0.0.0/8 and fc00::/7. Larger ones contain public addresses. */
const minPrefixes = { ipv4: 8, ipv6: 7 } as const;
const mappedAddress = ipaddr.IPv6.parse('::ffff:192.0.2.1');

/** Returns why the text is not a network of proxies that can be trusted; null if it is one. */
export function findTrustIssue(text: string): string | null {
  if (text === 'loopback') return null;
  if (/^(on|true|yes|all|\*|\d+)$/i.test(text)) {
    return `"${text}" would trust whoever connects, so name the addresses of your proxies instead`;
  }
  const [address = '', ...prefixes] = text.split('/');
  const version = address.includes(':') ? 'ipv6' : 'ipv4';
  if (!parseNetwork(address) || prefixes.length > 1) return `"${text}" is not a network`;
  if (/^::ffff:/i.test(address)) return `write the IPv4 network "${text}" without ::ffff:`;
  const network = parseNetwork(text);
  if (!network) {
    return `"${text}" must end with a prefix length from ${minPrefixes[version]} to ${widths[version]}`;
  }
  const { start, prefix } = network;
  // An IPv6 network with the IPv4 addresses in the notation of IPv6 would trust all of them.
  const isTooLarge =
    prefix < minPrefixes[start.kind()] || (start.kind() === 'ipv6' && mappedAddress.match(start, prefix));
  return isTooLarge ? `"${text}" is too large to be the network of your proxies` : null;
}

function parseNetwork(text: string): Network | null {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = addressText.includes('%') ? null : parseAddress(addressText);
  if (!address || rest.length > 0) return null;
  const width = widths[address.kind()];
  const writtenWidth = widths[addressText.includes(':') ? 'ipv6' : 'ipv4'];
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const writtenPrefix = prefixText === undefined ? writtenWidth : Number(prefixText);
  // The prefix of an IPv4 network in the notation of IPv6 also counts the 96 bits before the IPv4 address.
  const prefix = writtenPrefix - (writtenWidth - width);
  if (prefix < 0 || prefix > width) return null;
  const { IPv4, IPv6 } = ipaddr;
  const start = (address.kind() === 'ipv4' ? IPv4 : IPv6).networkAddressFromCIDR(`${address}/${prefix}`);
  return { start, prefix };
}

/** Parsing an address takes ipaddr.js up to 5 µs, and the same callers and proxies come again with every request. */
const parsedAddresses = new BoundedMap<Address>(4_096);

function parseAddress(text: string): Address | null {
  const known = parsedAddresses.get(text);
  if (known) return known;
  // Accepts only what Node accepts: ipaddr.js also reads octal numbers, and IPv4 addresses with fewer than four parts.
  if (isIP(text) === 0) return null;
  // ipaddr.js takes `::203.0.113.7` for an IPv4-mapped address, but not the same address with its first zero.
  const address = ipaddr.process(text.startsWith('::') ? `0${text}` : text);
  parsedAddresses.set(text, address);
  return address;
}
