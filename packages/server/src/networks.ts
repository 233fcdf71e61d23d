import { BlockList, isIP } from 'node:net';

const loopback = ['127.0.0.0/8', '::1/128'];

/** Returns a function that tells whether an address belongs to one of the networks. They have been validated. */
export function compileNetworks(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks.flatMap((each) => (each === 'loopback' ? loopback : [each]))) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  // An IPv4 address in the notation of IPv6 belongs to the networks of IPv4.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Whether a text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%') || /^::ffff:/i.test(address)) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
