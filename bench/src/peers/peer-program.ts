import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@keyfront/embedded-postgres';
import type { Bench } from '../bench.ts';
import { root } from '../root.ts';
import { customerCount, productCount, type Shop } from './shop.ts';

/** A peer: its folder in `bench/peers`, and the arguments of Node that seed and start it. */
export interface PeerProgram<Seeded> {
  readonly folder: string;
  readonly seed: readonly (readonly string[])[];
  start(port: number): readonly string[];
  createShop(origin: string, seeded: Seeded): Shop;
}

const installMinutes = 20;
const seedMinutes = 10;
const startMinutes = 2;
const endMs = 10_000;
const pollMs = 100;
const shownLines = 20;

const sourceOf = (folder: string) => join(root, 'bench', 'peers', folder);

/** Returns the version of a package of a peer. */
export function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(sourceOf(folder), 'package.json'), 'utf8')).dependencies[name];
}

/** Installs a peer into the cache, unless it is there, seeds a database of its own, and starts it. */
export async function startPeer<Seeded>(
  { store, progress, endLater }: Pick<Bench, 'store' | 'progress' | 'endLater'>,
  cache: string,
  peer: PeerProgram<Seeded>,
): Promise<Shop> {
  const { folder } = peer;
  const cwd = join(cache, folder);
  const launch = (what: string, command: readonly string[], env: Readonly<Record<string, string>>) => {
    const launched = launchProgram(what, command, { cwd, env, log: join(cwd, 'bench.log') });
    endLater(launched.end);
    return launched;
  };
  mkdirSync(cwd, { recursive: true });
  cpSync(sourceOf(folder), cwd, { recursive: true });
  const lock = createHash('sha256')
    .update(readFileSync(join(cwd, 'package-lock.json')))
    .digest('hex');
  const stamp = join(cwd, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    progress(`Installing ${folder} into ${cwd}; the first time takes some minutes`);
    rmSync(stamp, { force: true });
    // Nothing but the packages of the lock: no script of theirs may fetch or build something else.
    const install = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await launch(`The installation of ${folder}`, install, npmSettings()).finish(installMinutes);
    writeFileSync(stamp, lock);
  }
  const database = `bench_${folder}`;
  await store.client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await store.client.query(`CREATE DATABASE ${database}`);
  const url = new URL(store.ownerUrl);
  url.pathname = database;
  const port = await findFreePort();
  const seedFile = join(cwd, 'seeded.json');
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url.href,
    PORT: `${port}`,
    SECRET: randomBytes(32).toString('hex'),
    PRODUCTS: `${productCount}`,
    CUSTOMERS: `${customerCount}`,
    SEED_FILE: seedFile,
    LOG_LEVEL: 'warn',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    VENDURE_DISABLE_TELEMETRY: 'true',
  };
  progress(`Seeding ${folder}`);
  for (const step of peer.seed) {
    await launch(`The seed of ${folder}`, [process.execPath, ...step], env).finish(seedMinutes);
  }
  progress(`Starting ${folder}`);
  const origin = `http://127.0.0.1:${port}`;
  await launch(folder, [process.execPath, ...peer.start(port)], env).waitFor(
    `${origin}/health`,
    startMinutes,
  );
  return peer.createShop(origin, JSON.parse(readFileSync(seedFile, 'utf8')) as Seeded);
}

/** A program whose output goes to a log, with bounded waits. Errors have the last lines of the log. */
export interface LaunchedProgram {
  /** Waits until the program exits with 0. */
  finish(minutes: number): Promise<void>;
  /** Waits until the URL responds with a 2xx. */
  waitFor(url: string, minutes: number): Promise<void>;
  end(): Promise<void>;
}

export function launchProgram(
  what: string,
  [program = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly log: string },
): LaunchedProgram {
  const output = openSync(options.log, 'w');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let outcome: string | null = null;
  const exited = new Promise<void>((resolve) => {
    const settle = (how: string) => {
      outcome ??= how;
      resolve();
    };
    child.once('error', (error) => settle(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => settle(`ended with ${code ?? signal}`));
  });
  const end = async () => {
    child.kill('SIGTERM');
    const forced = setTimeout(() => child.kill('SIGKILL'), endMs);
    await exited;
    clearTimeout(forced);
  };
  const fail = async (how: string): Promise<never> => {
    await end();
    const lines = readFileSync(options.log, 'utf8').trimEnd().split('\n').slice(-shownLines);
    throw new Error(`${what} ${how}. The last lines of ${options.log}:\n${lines.join('\n')}`);
  };
  const waitUntil = async (minutes: number, isDone: () => Promise<boolean>) => {
    const deadline = performance.now() + minutes * 60_000;
    while (!(await isDone())) {
      if (outcome !== null) return fail(outcome);
      if (performance.now() > deadline) return fail(`was not ready within ${minutes} minutes`);
      await Promise.race([exited, delay(pollMs)]);
    }
  };
  return {
    finish: (minutes) => waitUntil(minutes, async () => outcome === 'ended with 0'),
    waitFor: (url, minutes) =>
      waitUntil(minutes, () => (outcome === null ? responds(url) : Promise.resolve(false))),
    end,
  };
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

/** The settings of npm that say where packages come from. `npm run` sets others that are of this project. */
function npmSettings(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    /^npm_config_(registry|cache|userconfig)$/i.test(name) && value ? [[name, value]] : [],
  );
  return Object.fromEntries(entries);
}
