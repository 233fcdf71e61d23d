import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StallablePipe } from './stallable-pipe.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = join(root, 'packages/server/dist/bundle/main.js');

/** The built service in a process of its own, as `npm start` runs it. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly dataFolder: string | undefined;
  /** The last million characters that were printed, to both streams. */
  output(): string;
  /** The base URL, once the service announces that it is ready. Rejects if it ends before. */
  readonly ready: Promise<string>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const maxOutputCharacters = 1_000_000;

/** Starts the service with these settings and no others. `KEYFRONT_DATA` is the data folder. */
export function spawnService(settings: Record<string, string>, pipe?: StallablePipe): ServiceProcess {
  // Outside the project, so that the `.env` of a developer is not read.
  return watchService(process.execPath, [entry], tmpdir(), settings, pipe);
}

/** Starts another build of the service, such as an earlier or a later one: its file `main.js`. */
export function spawnOtherService(file: string, settings: Record<string, string>): ServiceProcess {
  return watchService(process.execPath, [file], tmpdir(), settings);
}

/** Starts the service with npm, but without the setup, which would rebuild the code that other tests run. */
export function spawnServiceWithNpm(settings: Record<string, string>): ServiceProcess {
  return watchService('npm', ['start', '--ignore-scripts'], root, settings);
}

function watchService(
  command: string,
  args: string[],
  cwd: string,
  settings: Record<string, string>,
  pipe?: StallablePipe,
): ServiceProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...settings },
    cwd,
    // A process group of its own, which can be killed as a whole.
    detached: true,
    stdio: ['ignore', pipe?.writerFd ?? 'pipe', 'pipe'],
  });
  pipe?.closeWriter();
  let printed = '';
  let isReady = false;
  void once(child, 'close').then(() => pipe?.reader.destroy());
  const ended = once(child, 'close').then(([code, signal]): number | NodeJS.Signals => signal ?? code);
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed = (printed + chunk).slice(-maxOutputCharacters);
      if (isReady) return;
      const match = /^Keyfront is ready: (\S+)$/m.exec(printed);
      if (!match?.[1]) return;
      isReady = true;
      resolve(match[1]);
    };
    (pipe?.reader ?? child.stdout)?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then((how) =>
      reject(new Error(`The service ended (${how}) before it was ready:\n${printed}`)),
    );
  });
  // Not every test waits for readiness.
  ready.catch(() => undefined);
  return {
    child,
    dataFolder: settings.KEYFRONT_DATA,
    output: () => printed,
    ready,
    ended,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Kills the service, its workers and its embedded PostgreSQL, all at once and without a warning. */
export async function killTree(service: ServiceProcess): Promise<void> {
  const { pid } = service.child;
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
  const postmaster = service.dataFolder === undefined ? null : findPostmasterPid(service.dataFolder);
  if (postmaster !== null) sendSignal(postmaster, 'SIGKILL');
  await service.ended;
}

/** Returns the process id of the embedded PostgreSQL of a data folder, or null if there is none. */
export function findPostmasterPid(dataFolder: string): number | null {
  const file = join(dataFolder, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return null;
  return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
}

/** Returns the process id of the PostgreSQL that runs in a data folder. Throws if there is none. */
export function getPostmasterPid(dataFolder: string): number {
  const pid = findPostmasterPid(dataFolder);
  if (pid === null) throw new Error(`No PostgreSQL runs in ${dataFolder}`);
  return pid;
}

/** Sends a signal to a process that may have ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
