import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAnvil } from '@keyfront/contracts';
import { findPgbench } from '../../bench/src/processes/pgbench.ts';
import { findPatroniLack } from '../../faults/src/processes/patroni-cluster.ts';
import { findChromium } from './find-chromium.ts';
import { oldestPostgres } from './oldest-postgres.ts';

/** Something that the machine must have for some tests to run. */
interface Requirement {
  readonly isMet: () => boolean;
  /** How to get it, for the list at the end of a run. */
  readonly advice: string;
}

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const requirements = {
  anvil: {
    isMet: () => findAnvil() !== null,
    advice: 'npm brings it for Linux on x64; elsewhere install Foundry (https://getfoundry.sh)',
  },
  Chromium: {
    isMet: () => findChromium() !== null,
    advice: 'npm brings it for Linux on x64; elsewhere install Chromium or Chrome, or name it in CHROMIUM',
  },
  Redis: {
    isMet: () => succeeds('redis-server', '--version'),
    advice: 'install redis-server (Debian: apt-get install redis-server)',
  },
  PgBouncer: {
    isMet: () => succeeds('pgbouncer', '--version'),
    advice: 'install pgbouncer (Debian: apt-get install pgbouncer)',
  },
  Patroni: {
    isMet: () => findPatroniLack() === null,
    advice: 'install Patroni, etcd and PostgreSQL (Debian: apt-get install patroni etcd-server postgresql)',
  },
  'PostgreSQL 15': {
    isMet: () => succeeds(`${oldestPostgres}/postgres`, '--version'),
    advice: 'install PostgreSQL 15 (Debian 12: apt-get install postgresql-15)',
  },
  pgbench: {
    isMet: () => findPgbench() !== null,
    advice: 'install the client programs of PostgreSQL (Debian: apt-get install postgresql-contrib)',
  },
  Prometheus: {
    isMet: () => succeeds('prometheus', '--version') && succeeds('promtool', '--version'),
    advice: 'install prometheus (Debian: apt-get install prometheus)',
  },
  'systemd-analyze': {
    isMet: () => succeeds('systemd-analyze', '--version'),
    advice: 'install systemd (Debian: apt-get install systemd)',
  },
  buildah: {
    isMet: () =>
      ['buildah', 'podman', 'runc', 'debootstrap'].every((tool) => succeeds(tool, '--version')) &&
      ['netavark', 'aardvark-dns'].every((helper) => existsSync(`/usr/lib/podman/${helper}`)),
    advice:
      'install what scripts/try-image.sh names (Debian: apt-get install buildah podman runc debootstrap netavark aardvark-dns iptables)',
  },
  OpenSSL: { isMet: () => succeeds('openssl', 'version'), advice: 'install openssl' },
  Python: {
    isMet: () => succeeds('python3', '-c', 'import sys, cryptography; sys.exit(sys.version_info < (3, 10))'),
    advice: 'install Python 3.10 or newer with the package cryptography (pip install cryptography)',
  },
  PHP: {
    isMet: () =>
      succeeds('php', '-r', "exit(extension_loaded('curl') && extension_loaded('openssl') ? 0 : 1);"),
    advice: 'install PHP with curl and openssl (Debian: apt-get install php-cli php-curl)',
  },
  Go: { isMet: () => succeeds('go', 'version'), advice: 'install Go (Debian: apt-get install golang-go)' },
  LibreOffice: {
    isMet: () => succeeds('soffice', '--version'),
    advice: 'install LibreOffice Calc (Debian: apt-get install libreoffice-calc-nogui)',
  },
  newman: {
    isMet: () => succeeds('newman', '--version'),
    advice: 'install newman, which runs collections of Postman (npm install --global newman)',
  },
  conformance: {
    isMet: () => succeeds('conformance', 'server', '--requirements', '2026-07-28', '--help'),
    advice:
      'install the conformance suite of MCP with Node.js 22 or newer (npm install --global @modelcontextprotocol/conformance@0.2.0-alpha.12)',
  },
  zsh: { isMet: () => succeeds('zsh', '-c', 'true'), advice: 'install zsh' },
  fish: { isMet: () => succeeds('fish', '-c', 'true'), advice: 'install fish' },
  'script(1)': {
    isMet: () => succeeds('script', '--version'),
    advice: 'install script of util-linux (Debian: apt-get install bsdutils)',
  },
  libsecp256k1: {
    isMet: () => succeeds(process.execPath, '-e', "require('secp256k1/bindings')"),
    advice: 'install a C++ compiler, then remove node_modules and run `npm run setup`',
  },
  'test vectors': {
    isMet: () => existsSync(fileURLToPath(new URL('../../../shared/vectors', import.meta.url))),
    advice:
      'put the Wycheproof and ERC-4361 vectors into shared/vectors beside the clone (folders wycheproof and siwe)',
  },
  Linux: { isMet: () => process.platform === 'linux', advice: 'run the tests on Linux as well' },
  root: { isMet: () => process.getuid?.() === 0, advice: 'run the tests as root as well' },
} satisfies Record<string, Requirement>;

export type RequirementName = keyof typeof requirements;

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test was not run. */
    missing?: { readonly name: string; readonly advice: string };
  }
}

const known = new Map<RequirementName, boolean>();

/** Whether the machine has it. */
export function has(name: RequirementName): boolean {
  const isMet = known.get(name) ?? requirements[name].isMet();
  known.set(name, isMet);
  return isMet;
}

/** Options for a test or suite that runs only where the machine has all of these. The run lists what it did without. */
export function needs(...names: RequirementName[]) {
  const name = names.find((each) => !has(each));
  if (name === undefined) return {};
  return { skip: true, meta: { missing: { name, advice: requirements[name].advice } } };
}

/** What the lock installs, by platform. npm has anvil for others too, but not every registry does. */
const fromNpm: Partial<Record<RequirementName, readonly string[]>> = {
  anvil: ['linux-x64'],
  Chromium: ['linux-x64'],
};

/**
 * Fails a run in continuous integration that lacks a program which the lock has for this platform: its tests would be
 * skipped, although nothing keeps them from running.
 */
export function requireProgramsOfNpm({
  environment = process.env,
  platform = `${process.platform}-${process.arch}`,
  isThere = has,
} = {}): void {
  if (!environment.CI || environment.CI === 'false') return;
  for (const [name, platforms] of Object.entries(fromNpm)) {
    if (!platforms.includes(platform) || isThere(name as RequirementName)) continue;
    throw new Error(
      `${name} is missing, although the lock has it for ${platform}: ` +
        'remove node_modules and install again, with optional and development packages.',
    );
  }
}
