import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';

/** `postmaster.pid`, which a running server keeps in its cluster folder. */
export interface PostmasterFile {
  /** Null when the file is empty or torn. */
  pid: number | null;
  /** The server accepts connections. */
  isReady: boolean;
}

const pidLine = 0;
const statusLine = 7;

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  try {
    const lines = (await readFile(pathIn(cluster), 'utf8')).split('\n');
    const pid = Number(lines[pidLine]);
    return {
      pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
      isReady: lines[statusLine]?.trim() === 'ready',
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(pathIn(cluster), { force: true });
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
