import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { readProcessIdentity } from './process-identity.ts';

const pollMs = 50;
const shutdownSteps: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 10_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];

/**
 * Stops the server that a killed parent process left running on the cluster, and removes a `postmaster.pid` that would
 * block a start. A process is only signalled after its command line has shown that it is the server of this cluster.
 */
export async function stopStaleServer(cluster: string, onProgress: (message: string) => void): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file === null) {
    return;
  }
  const identity = file.pid === null ? null : readProcessIdentity(file.pid);
  if (file.pid === null) {
    await removePostmasterFile(cluster);
  } else if (identity === null) {
    // PostgreSQL replaces the file of a dead server itself, after checking that its child processes have ended.
    return;
  } else if (await isServerOf(file.pid, cluster)) {
    onProgress(`Stopping the PostgreSQL server of an earlier run (process ${file.pid})`);
    await shutDown(file.pid, identity);
  } else {
    await removePostmasterFile(cluster);
  }
}

async function shutDown(pid: number, identity: string): Promise<void> {
  for (const { signal, timeoutMs } of shutdownSteps) {
    const deadline = Date.now() + timeoutMs;
    if (readProcessIdentity(pid) !== identity) {
      return;
    }
    sendSignal(pid, signal);
    while (Date.now() < deadline) {
      if (readProcessIdentity(pid) !== identity) {
        return;
      }
      await delay(pollMs);
    }
  }
  throw new EmbeddedPostgresError(
    'STALE_SERVER_RUNNING',
    `The PostgreSQL server of an earlier run (process ${pid}) does not stop`,
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') {
      throw error;
    }
  }
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    return readCommandFromPs(pid).includes(`/postgres -D ${cluster} `);
  }
  const [program = '', ...args] = await readCommandLineFromProc(pid);
  return basename(program) === 'postgres' && (args.includes(cluster) || (await worksIn(pid, cluster)));
}

async function readCommandLineFromProc(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch {
    return [];
  }
}

/** Compares folders by inode: the server may have been started with another path to the same cluster. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  try {
    const [current, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]);
    return current.dev === wanted.dev && current.ino === wanted.ino;
  } catch {
    return false;
  }
}

function readCommandFromPs(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
