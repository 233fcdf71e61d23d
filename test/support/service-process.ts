import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { createTestDatabase } from './test-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = join(root, 'packages/server/dist/main.js');

/** The service as `npm start` runs it: the built code in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** All that it has printed, to both streams. */
  output(): string;
  /** The base address, once it says that it is ready; rejects when it ends before. */
  readonly ready: Promise<string>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const started = new Map<ServiceProcess, string | undefined>();

// A test that fails in the middle leaves nothing running.
afterEach(async () => {
  for (const [service, dataFolder] of started) await killTree(service, dataFolder);
  started.clear();
});

/** Starts the service with these settings and no others; `KEYFRONT_DATA` is the data folder. */
export function startService(settings: Record<string, string>): ServiceProcess {
  // Away from the project, so that no `.env` of a developer counts.
  return watchService(process.execPath, [entry], tmpdir(), settings);
}

/** Through npm; without its setup, which would build anew under the feet of the other tests. */
export function startWithNpm(settings: Record<string, string>): ServiceProcess {
  return watchService('npm', ['start', '--ignore-scripts'], root, settings);
}

function watchService(
  command: string,
  args: string[],
  cwd: string,
  settings: Record<string, string>,
): ServiceProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...settings },
    cwd,
    // A process group of its own, which can be killed as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'close').then(([code, signal]): number | NodeJS.Signals => signal ?? code);
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const match = /^Keyfront is ready: (\S+)$/m.exec(printed);
      if (match?.[1]) resolve(match[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((how) =>
      reject(new Error(`The service ended (${how}) before it was ready:\n${printed}`)),
    );
  });
  // Not every test waits for readiness.
  ready.catch(() => undefined);
  const service: ServiceProcess = {
    child,
    output: () => printed,
    ready,
    ended,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
  started.set(service, settings.KEYFRONT_DATA);
  void ended.then(() => started.delete(service));
  return service;
}

/** Kills the service, its workers and its embedded PostgreSQL, all of them at once and without a warning. */
export async function killTree(service: ServiceProcess, dataFolder: string | undefined): Promise<void> {
  const { pid } = service.child;
  if (pid !== undefined) kill(-pid);
  const postmaster = dataFolder === undefined ? null : postmasterPid(dataFolder);
  if (postmaster !== null) kill(postmaster);
  await service.ended;
}

/** The process id of the embedded PostgreSQL of a data folder, or null when none has said so. */
export function postmasterPid(dataFolder: string): number | null {
  const file = join(dataFolder, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return null;
  return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A data folder for one test, removed after it. */
export async function withDataFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'keyfront-start-'));
  try {
    await use(join(parent, 'data'));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Settings for a service on the cluster of the tests, which starts quicker than one that makes its own. */
export async function onTestCluster(
  use: (settings: Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'JWT_SECRET', string>) => Promise<void>,
): Promise<void> {
  const empty = await createTestDatabase('nothing');
  try {
    await use({
      DATABASE_URL: empty.loginUrl,
      DATABASE_OWNER_URL: empty.ownerUrl,
      JWT_SECRET: 'a secret for tests, long enough to be one',
    });
  } finally {
    await empty.drop();
  }
}
