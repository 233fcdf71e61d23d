import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { processIdentity } from './process-identity.ts';

const pollMs = 50;
const shutdownSteps: { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];

/** Ends a server that a killed service left running on the cluster, and clears away a file that would block a start. */
export async function endLeftOverServer(
  cluster: string,
  onProgress: (sentence: string) => void,
): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file === null) {
    return;
  }
  const identity = file.pid === null ? null : processIdentity(file.pid);
  if (file.pid === null) {
    await removePostmasterFile(cluster);
  } else if (identity === null) {
    // PostgreSQL itself replaces the file of a dead server, after a look whether its children are gone.
    return;
  } else if (await isServerOf(file.pid, cluster)) {
    onProgress(`Stopping an embedded PostgreSQL that was left running (process ${file.pid}).`);
    await shutDown(file.pid, identity);
  } else {
    await removePostmasterFile(cluster);
  }
}

async function shutDown(pid: number, identity: string): Promise<void> {
  for (const { signal, patienceMs } of shutdownSteps) {
    const giveUpAt = Date.now() + patienceMs;
    if (processIdentity(pid) !== identity) {
      return;
    }
    sendSignal(pid, signal);
    while (Date.now() < giveUpAt) {
      if (processIdentity(pid) !== identity) {
        return;
      }
      await delay(pollMs);
    }
  }
  throw new EmbeddedPostgresError(
    `An embedded PostgreSQL that was left running (process ${pid}) does not end: end it by hand and start again.`,
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
    return commandFromPs(pid).includes(`/postgres -D ${cluster} `);
  }
  const [program = '', ...args] = await commandLineFromProc(pid);
  return basename(program) === 'postgres' && (args.includes(cluster) || (await worksIn(pid, cluster)));
}

async function commandLineFromProc(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch {
    return [];
  }
}

/** The same cluster may have been named by another path when its server was started. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  try {
    const [current, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]);
    return current.dev === wanted.dev && current.ino === wanted.ino;
  } catch {
    return false;
  }
}

function commandFromPs(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
