import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalizeNetwork, compileNetworks } from './networks.ts';

describe('canonicalizeNetwork', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['10.0.0.0/08', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['::1', '::1/128'],
    ['2001:DB8:0:0:0:0:0:0/32', '2001:db8::/32'],
    ['2001:db8:0:1:0:0:0:1/128', '2001:db8:0:1::1/128'],
    ['2001:0:0:1:0:0:1:1', '2001::1:0:0:1:1/128'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1/128'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::FFFF:203.0.113.7', '203.0.113.7/32'],
    ['0:0:0:0:0:ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['0000:0000:0000:0000:0000:ffff:cb00:7100/120', '203.0.113.0/24'],
    ['64:ff9b::192.0.2.1/128', '64:ff9b::c000:201/128'],
    ['::203.0.113.7', '::cb00:7107/128'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalizeNetwork(text)).toBe(canonical);
    expect(canonicalizeNetwork(canonical)).toBe(canonical);
  });

  it.each([
    ...[
      '',
      '/',
      'here',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '010.0.0.1',
      '10.0.0.0/-1',
      '10.0.0.0/1e1',
    ],
    ...['::/129', 'fe80::1%eth0', 'fe80::%eth0/64', ':::/8', '::ffff:10.0.0.1/95', ' ::/0', '::/ 0', '[::1]'],
  ])('refuses %j', (text) => {
    expect(canonicalizeNetwork(text)).toBeNull();
  });
});

const byte = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
/** Often with groups of zeros, and often one that IPv4 can be mapped into. */
const group = fc.oneof(
  fc.constantFrom('0', '0', 'ffff', 'FFFF'),
  fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
);
const ipv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc
    .tuple(fc.array(group, { maxLength: 3 }), fc.array(group, { maxLength: 4 }))
    .map(([a, b]) => `${a.join(':')}::${b.join(':')}`),
  ipv4.map((address) => `::ffff:${address}`),
  ipv4.map((address) => `0:0:0:0:0:FFFF:${address}`),
  ipv4.map((address) => `2001:db8::${address}`),
  ipv4.map((address) => `::${address}`),
);
const prefixOf = (address: string) => fc.integer({ min: 0, max: isIPv4(address) ? 32 : 128 });
const network = fc
  .oneof(ipv4, ipv6)
  .chain((address) => prefixOf(address).map((prefix) => ({ address, prefix, text: `${address}/${prefix}` })));

/** Makes an address that shares bits with another one. Null: any address. */
const change = fc.constantFrom<((address: string) => string) | null>(
  (address) => address,
  (address) => address.replace(/[0-9a-f]+$/i, '7'),
  (address) => address.replace(/^[0-9a-f]+/i, '2'),
  null,
);

/** The address as Node reads it, with one in the notation of IPv6 for IPv4 as one of IPv4. */
function plain(address: string): string {
  if (isIPv4(address)) return address;
  const mapped = new BlockList();
  mapped.addSubnet('::ffff:0:0', 96, 'ipv6');
  if (!mapped.check(address, 'ipv6')) return address;
  const [high = '0', low = '0'] = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const [upper, lower] = [Number.parseInt(high || '0', 16), Number.parseInt(low || '0', 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

it('agrees with the networks of Node, which never contain an address of the other version', {
  tags: ['long'],
}, () => {
  fc.assert(
    fc.property(network, fc.oneof(ipv4, ipv6), change, ({ address, prefix, text }, other, near) => {
      // Addresses near the network, too: two random ones have nothing in common.
      const tested = near?.(address) ?? other;
      const canonical = canonicalizeNetwork(text);
      const start = plain(address);
      const isMapped = isIPv4(start) && !isIPv4(address);
      if (isMapped && prefix < 96) {
        expect(canonical).toBeNull();
        return;
      }
      const list = new BlockList();
      list.addSubnet(start, isMapped ? prefix - 96 : prefix, isIPv4(start) ? 'ipv4' : 'ipv6');
      const candidate = plain(tested);
      const isSameVersion = isIPv4(candidate) === isIPv4(start);
      const expected = isSameVersion && list.check(candidate, isIPv4(candidate) ? 'ipv4' : 'ipv6');
      for (const each of [text, canonical ?? '']) expect(compileNetworks([each])(tested)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
});

it('knows the names of the loopback interface, and addresses with a zone', () => {
  const isLoopback = compileNetworks(['loopback']);
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect(isLoopback(address)).toBe(true);
  for (const address of ['128.0.0.1', '::2', '', 'localhost']) expect(isLoopback(address)).toBe(false);
  expect(compileNetworks(['fe80::/10'])('fe80::1%eth0')).toBe(true);
  expect(compileNetworks([])('127.0.0.1')).toBe(false);
  expect(compileNetworks(['::/0'])('203.0.113.7')).toBe(false);
  expect(compileNetworks(['0.0.0.0/0'])('2001:db8::1')).toBe(false);
});
