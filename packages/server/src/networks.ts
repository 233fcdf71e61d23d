import { isIP } from 'node:net';

interface Address {
  readonly version: 4 | 6;
  readonly bits: bigint;
}

interface Network extends Address {
  readonly prefix: number;
}

const widths = { 4: 32, 6: 128 } as const;
const loopback = ['127.0.0.0/8', '::1/128'];

/**
 * Returns a function that tells whether an address belongs to one of the networks. An IPv4 address in the notation of IPv6 is one of
 * IPv4: it belongs to networks of IPv4 only, and no network of IPv6 contains it.
 */
export function compileNetworks(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const ranges = networks
    .flatMap((each) => (each === 'loopback' ? loopback : [each]))
    .flatMap((each) => parseNetwork(each) ?? [])
    .map(({ version, bits, prefix }) => {
      const shift = BigInt(widths[version] - prefix);
      return { version, shift, start: bits >> shift };
    });
  return (text) => {
    // The zone of a link-local address names an interface of this machine.
    const [withoutZone = ''] = text.split('%');
    const address = parseAddress(withoutZone);
    if (!address) return false;
    const { version, bits } = address;
    return ranges.some((range) => range.version === version && bits >> range.shift === range.start);
  };
}

/**
 * Writes an address, or a network in CIDR notation, in the one form that all spellings of it share: `203.0.113.0/24`, `2001:db8::/32`.
 * Networks of IPv4 in the notation of IPv6 become networks of IPv4. Returns null for any other text.
 */
export function canonicalizeNetwork(text: string): string | null {
  const network = parseNetwork(text);
  if (!network) return null;
  const { version, bits, prefix } = network;
  return `${version === 4 ? formatIpv4(bits) : formatIpv6(bits)}/${prefix}`;
}

function parseNetwork(text: string): Network | null {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = addressText.includes('%') ? null : parseAddress(addressText);
  if (!address || rest.length > 0) return null;
  const writtenWidth = widths[addressText.includes(':') ? 6 : 4];
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const writtenPrefix = prefixText === undefined ? writtenWidth : Number(prefixText);
  const { version } = address;
  // Counted from the first bit of IPv4 where that is written in the notation of IPv6.
  const prefix = writtenPrefix - (writtenWidth - widths[version]);
  if (prefix < 0 || prefix > widths[version]) return null;
  const shift = BigInt(widths[version] - prefix);
  return { version, bits: (address.bits >> shift) << shift, prefix };
}

function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return { version, bits: readIpv4(text) };
  const bits = readIpv6(text);
  return bits >> 32n === 0xffffn ? { version: 4, bits: bits & 0xffffffffn } : { version: 6, bits };
}

function readIpv4(text: string): bigint {
  let value = 0;
  for (const part of text.split('.')) value = value * 256 + Number(part);
  return BigInt(value);
}

function readIpv6(text: string): bigint {
  const lastColon = text.lastIndexOf(':');
  if (text.includes('.', lastColon)) {
    const last = readIpv4(text.slice(lastColon + 1));
    return readGroups(
      `${text.slice(0, lastColon + 1)}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`,
    );
  }
  return readGroups(text);
}

function readGroups(text: string): bigint {
  const [start = '', end] = text.split('::');
  const [first, last] = [splitGroups(start), splitGroups(end ?? '')];
  const zeros = Array.from({ length: end === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  let bits = 0n;
  for (const group of [...first, ...zeros, ...last])
    bits = (bits << 16n) | BigInt(Number.parseInt(group, 16));
  return bits;
}

const splitGroups = (text: string): string[] => (text === '' ? [] : text.split(':'));

function formatIpv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
}

/** RFC 5952: lower case, and the first of the longest runs of at least two zeros left out. */
function formatIpv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  );
  let [longestAt, longest] = [0, 1];
  for (let at = 0; at < groups.length; at++) {
    let end = at;
    while (groups[end] === '0') end++;
    if (end - at > longest) [longestAt, longest] = [at, end - at];
  }
  if (longest < 2) return groups.join(':');
  return `${groups.slice(0, longestAt).join(':')}::${groups.slice(longestAt + longest).join(':')}`;
}
