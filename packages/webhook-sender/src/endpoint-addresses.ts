import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks of IPv4 that are not public, as IANA lists them. */
const reservedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local, which includes the metadata services of clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Addresses with public numbers that a cloud answers on inside a machine or its private network: the wire server of Azure, and the
 * services of IBM Cloud. Other clouds have theirs in the reserved networks above.
 */
const cloudInternal = ['161.26.0.0/16', '166.8.0.0/14', '168.63.129.16/32'];
/** The only network of IPv6 with public addresses, and its parts that are not. 2002::/16 leads to any IPv4 address (6to4). */
const globalIpv6 = '2000::/3';
const reservedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved = compile([...reservedIpv4, ...cloudInternal, ...reservedIpv6]);
const global6 = compile([globalIpv6]);
/** Networks whose last 32 bits are an IPv4 address: IPv4-mapped addresses and NAT64. */
const embedding = compile(['::ffff:0:0/96', '64:ff9b::/96']);

/** Which addresses a webhook may connect to. */
export interface AddressPolicy {
  readonly allowsPublic: boolean;
  /** Only in a demo. */
  readonly allowsLoopback: boolean;
}

/** Whether a connection to this address is allowed. */
export function isAllowedAddress(address: string, { allowsPublic, allowsLoopback }: AddressPolicy): boolean {
  const canonical = readEmbeddedIpv4(address) ?? address;
  if (canonical === '::1' || canonical.startsWith('127.')) return allowsLoopback;
  return allowsPublic && isPublicAddress(canonical);
}

function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4');
  return isIPv6(address) && global6.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** Reads the IPv4 address that an IPv6 address stands for. Null if it stands for none. */
function readEmbeddedIpv4(address: string): string | null {
  if (!isIPv6(address) || !embedding.check(address, 'ipv6')) return null;
  // A URL writes the last 32 bits as two groups in hexadecimal, and shortens zeros.
  const { hostname } = new URL(`http://[${address}]`);
  const [high = '', low = ''] = hostname.slice(1, -1).split(':').slice(-2);
  const [upper, lower] = [Number.parseInt(high || '0', 16), Number.parseInt(low || '0', 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

function compile(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
