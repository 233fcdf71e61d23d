import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';

/** `postmaster.pid`, the status file of a running server in its cluster folder. */
export interface PostmasterFile {
  /** Null when the file is empty or incomplete. */
  pid: number | null;
  /** Null when the server does not listen yet. */
  port: number | null;
  /** Whether the server accepts connections. */
  isReady: boolean;
}

const pidLine = 0;
const portLine = 3;
const statusLine = 7;

/** Reads the status file; null when there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  try {
    const lines = (await readFile(pathIn(cluster), 'utf8')).split('\n');
    return {
      pid: parseNumber(lines[pidLine]),
      port: parseNumber(lines[portLine]),
      isReady: lines[statusLine]?.trim() === 'ready',
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

/** Removes the status file, if there is one. */
export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(pathIn(cluster), { force: true });
}

function parseNumber(text: string | undefined): number | null {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
