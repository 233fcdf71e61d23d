import { expect, it } from 'vitest';
import { isAllowedAddress } from './endpoint-addresses.ts';
import { findEndpointIssues } from './endpoint-url.ts';
import { resolveHost } from './resolve-host.ts';

const publicOnly = { allowsPublic: true, allowsLoopback: false };

it.each([
  '192.0.32.8',
  '8.8.8.8',
  '168.63.129.17',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  // NAT64 and IPv4-mapped forms of a public address.
  '64:ff9b::c000:2008',
  '::ffff:192.0.32.8',
])('allows %s', (address) => {
  expect(isAllowedAddress(address, publicOnly)).toBe(true);
});

it.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '161.26.0.10',
  '166.9.1.2',
  '168.63.129.16',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:7f00:1',
  '::ffff:168.63.129.16',
  '::FFFF:A00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::a83f:8110',
  '64:ff9b::',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'no address',
  '',
])('refuses %s', (address) => {
  expect(isAllowedAddress(address, publicOnly)).toBe(false);
});

it('allows loopback addresses where that is set, and no others without TLS', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(isAllowedAddress(address, { allowsPublic: false, allowsLoopback: true })).toBe(true);
  for (const address of ['10.0.0.1', '169.254.169.254', '192.0.32.8', '::'])
    expect(isAllowedAddress(address, { allowsPublic: false, allowsLoopback: true })).toBe(false);
});

const names: Record<string, string[]> = {
  'public.example': ['192.0.32.8', '2606:4700::1111'],
  'private.example': ['10.1.2.3'],
  'mixed.example': ['192.0.32.8', '::1'],
  'unknown.example': [],
  localhost: ['127.0.0.1', '::1'],
};
const resolve = async (name: string) => names[name] ?? [];
const issuesOf = (url: string, allowsLoopback = false) =>
  findEndpointIssues(url, { allowsLoopback, resolve });

it.each([
  'http://public.example/',
  'http://169.254.169.254/',
  'http://[::1]/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/latest/meta-data',
  'https://private.example/hook',
  'https://mixed.example/hook',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST%2E/',
  'https://localhost../',
  'https://public..example/',
  'https://.public.example/',
  'https://168.63.129.16/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://017700000001/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  // 400 characters, and 2,400 in the form that is sent.
  `https://public.example/${'é'.repeat(400)}`,
])('refuses the URL %s', async (url) => {
  expect(await issuesOf(url)).toHaveLength(1);
});

it('asks no name server for names of this machine', async () => {
  for (const name of ['localhost', 'shop.localhost'])
    expect(await resolveHost(name)).toEqual(['127.0.0.1', '::1']);
});

it('accepts https URLs with public addresses, and names that have no address yet', async () => {
  for (const url of [
    'https://public.example/',
    'https://public.example.:8443/hook?a=b',
    'https://unknown.example/',
  ])
    expect(await issuesOf(url)).toEqual([]);
});

it('accepts http and https URLs of this machine in a demo, and no other http URL', async () => {
  for (const url of [
    'http://localhost:4000/hook',
    'http://localhost.:4000/hook',
    'http://127.0.0.1/',
    'https://[::1]:4000/',
    'https://public.example/',
  ])
    expect(await issuesOf(url, true)).toEqual([]);
  for (const url of [
    'http://public.example/',
    'http://private.example/',
    'http://unknown.example/',
    'http://localhost../',
    'https://private.example/',
    'http://169.254.169.254/',
  ])
    expect(await issuesOf(url, true)).toHaveLength(1);
});
