import { isIP } from 'node:net';

/** Who is behind an address. With IPv6 that is a network of 64 bits: whoever has one has all of its addresses. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return isIP(address) === 4 ? address : unknownAddress;
  let key = apiKeyCache.get(address);
  if (key === undefined) {
    key = readKey(address);
    if (apiKeyCache.size >= mostKnownKeys) apiKeyCache.clear();
    if (address.length <= longestAddress) apiKeyCache.set(address, key);
  }
  return key;
}

/** To read an IPv6 address takes longer than to count it, and the same ones come again and again. */
const apiKeyCache = new Map<string, string>();
const mostKnownKeys = 10_000;
const longestAddress = 64;

/** What a proxy handed on and is no address has one count together, so that invented ones are of no use. */
const unknownAddress = 'unknown';

function readKey(address: string): string {
  const [withoutZone = ''] = address.split('%', 1);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1];
  if (mapped !== undefined) return addressKey(mapped);
  return isIP(withoutZone) === 6 ? networkOf(withoutZone) : unknownAddress;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    // An IPv4 address at the end stands for two groups.
    const lastCount = last.length + (tail.includes('.') ? 1 : 0);
    groups.push(...Array.from({ length: 8 - groups.length - lastCount }, () => '0'), ...last);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
