import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../root.ts';

/** A running service. */
export interface Service {
  /** Includes the version prefix. */
  readonly baseUrl: string;
  readonly pid: number;
  /** Returns the peak resident memory, or null where the system does not report it. */
  peakMemoryMb(): number | null;
  end(): Promise<void>;
}

const pollMs = 5;
const readyLine = /^Keyfront is ready: (\S+)$/m;

/** Starts the service as users do. It logs to a file, because logging is part of its cost. */
export async function startService(
  settings: Readonly<Record<string, string>>,
  profileFolder: string | null = null,
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-service-'));
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${resolve(profileFolder)}`] : [];
  const child = spawn(process.execPath, [...profiling, join(root, 'packages/server/dist/bundle/main.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, KEYFRONT_DATA: folder, PORT: '0', ...settings },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (;;) {
    const ready = readyLine.exec(readFileSync(log, 'utf8'));
    if (ready?.[1] && child.pid) {
      const { pid } = child;
      return { baseUrl: ready[1], pid, peakMemoryMb: () => readPeakMemory(pid), end };
    }
    if (child.exitCode !== null) {
      const printed = readFileSync(log, 'utf8');
      await end();
      throw new Error(`The service did not start:\n${printed}`);
    }
    await delay(pollMs);
  }
}

/** Returns settings for the database of the bench. Limits are off, because all load comes from one client. */
export function settingsFor(store: {
  readonly loginUrl: string;
  readonly ownerUrl: string;
  readonly folder: string;
}): Record<string, string> {
  return {
    DATABASE_URL: store.loginUrl,
    DATABASE_OWNER_URL: store.ownerUrl,
    IMAGE_FOLDER: join(store.folder, 'images'),
    JWT_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMIT: 'off',
    MAX_CONNECTIONS_PER_ADDRESS: '100000',
  };
}

function readPeakMemory(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  } catch {
    return null;
  }
}
