import { isIP } from 'node:net';
import { BoundedMap } from '@keyfront/bounded-map';
import ipaddr from 'ipaddr.js';

/** Parsing an IPv6 address takes longer than counting it, and the same addresses come again and again. */
const parsedAddresses = new BoundedMap<string>(10_000);
const maxCachedLength = 64;

/** Values from a proxy that are no address share one counter, so that inventing them gains nothing. */
const unknownAddress = 'unknown';

/** The key under which an address is counted. For IPv6 it is the /64 network: its owner has all of its addresses. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return isIP(address) === 4 ? address : unknownAddress;
  let key = parsedAddresses.get(address);
  if (key === undefined) {
    key = parseAddress(address);
    if (address.length <= maxCachedLength) parsedAddresses.set(address, key);
  }
  return key;
}

function parseAddress(address: string): string {
  // Some proxies add the port of the caller.
  const bare = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.+)\])(?::\d+)?$/.exec(address);
  if (bare) return addressKey(bare[1] ?? bare[2] ?? '');
  const [withoutZone = ''] = address.split('%', 1);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1];
  if (mapped !== undefined) return addressKey(mapped);
  return isIP(withoutZone) === 6 ? networkOf(withoutZone) : unknownAddress;
}

function networkOf(address: string): string {
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
