import { BlockList, isIP } from 'node:net';

const loopback = ['127.0.0.0/8', '::1/128'];

/** Returns a function that tells whether an address belongs to one of the networks. They have been validated. */
export function createProxyTrust(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const trusted = new BlockList();
  for (const network of networks.flatMap((each) => (each === 'loopback' ? loopback : [each]))) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  // An IPv4 address in the notation of IPv6 belongs to the networks of IPv4.
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
