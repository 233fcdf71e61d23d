import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { readProcessIdentity } from './process-identity.ts';

const defaultFileName = 'postgres.lock';
const takeoverTimeoutMs = 10_000;
const takeoverPollMs = 5;

/** The exclusive right of this process to use a data folder. */
export interface DataFolderLock {
  /** Gives the right up. Further calls do nothing. */
  release(): Promise<void>;
}

export interface DataFolderLockOptions {
  /** The name of the lock file in the data folder. All programs that share the folder must use the same one. */
  fileName?: string;
}

interface Holder {
  pid: number;
  identity: string;
}

/**
 * Locks a data folder for this process, and creates the folder when it does not exist. The lock of a process that has
 * died is taken over. Throws an `EmbeddedPostgresError` when another process holds the lock.
 */
export async function lockDataFolder(
  folder: string,
  { fileName = defaultFileName }: DataFolderLockOptions = {},
): Promise<DataFolderLock> {
  const path = resolve(folder);
  const lockPath = join(path, fileName);
  const content = describeThisProcess();
  const holder = await createFolderAndAcquire(path, lockPath, content);
  if (holder !== null) {
    throw new EmbeddedPostgresError(
      'DATA_FOLDER_IN_USE',
      `The data folder ${path} is in use by another process (${holder.pid})`,
    );
  }
  let released: Promise<void> | null = null;
  return {
    release: () => {
      released ??= removeIfOwn(lockPath, content);
      return released;
    },
  };
}

async function createFolderAndAcquire(
  path: string,
  lockPath: string,
  content: string,
): Promise<Holder | null> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await acquire(lockPath, content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(
      'DATA_FOLDER_NOT_USABLE',
      `The data folder ${path} cannot be used (${reason})`,
      { cause: error },
    );
  }
}

function describeThisProcess(): string {
  const identity = readProcessIdentity(process.pid);
  if (identity === null) {
    throw new Error('The start time of this process cannot be read');
  }
  // The token distinguishes two locks of one process, so that neither releases the other.
  return `${JSON.stringify({ pid: process.pid, identity, token: randomUUID() })}\n`;
}

/**
 * Returns null when this process has acquired the lock, otherwise the live process that holds it.
 *
 * A lock file is created by link(), which fails when the file exists. A stale lock file is replaced only by the process
 * that holds the takeover lock beside it. Its dead holder no longer changes it, so it cannot change between the check
 * and the replacement. The takeover lock is acquired in the same way: if its holder dies, the takeover lock of the next
 * level decides which process replaces it.
 */
async function acquire(lockPath: string, content: string): Promise<Holder | null> {
  const takeoverPath = `${lockPath}.takeover`;
  const deadline = Date.now() + takeoverTimeoutMs;
  for (;;) {
    const holder = await readHolder(lockPath);
    if (holder === 'none') {
      if (await tryToCreate(lockPath, content)) {
        return null;
      }
      continue;
    }
    if (holder !== 'stale') {
      return holder;
    }
    const contender = await acquire(takeoverPath, content);
    if (contender === null) {
      try {
        if ((await readHolder(lockPath)) === 'stale') {
          await replace(lockPath, content);
          return null;
        }
      } finally {
        await removeIfOwn(takeoverPath, content);
      }
    } else if (Date.now() > deadline) {
      return contender;
    } else {
      await delay(takeoverPollMs);
    }
  }
}

async function readHolder(lockPath: string): Promise<Holder | 'none' | 'stale'> {
  const content = await readIfExists(lockPath);
  if (content === null) {
    return 'none';
  }
  const holder = parseHolder(content);
  return holder !== null && readProcessIdentity(holder.pid) === holder.identity ? holder : 'stale';
}

/** Returns null for a file that is empty or incomplete, as a power failure can leave it. */
function parseHolder(content: string): Holder | null {
  try {
    const value: unknown = JSON.parse(content);
    if (
      typeof value === 'object' &&
      value !== null &&
      'pid' in value &&
      'identity' in value &&
      typeof value.pid === 'number' &&
      typeof value.identity === 'string'
    ) {
      return { pid: value.pid, identity: value.identity };
    }
    return null;
  } catch {
    return null;
  }
}

async function tryToCreate(lockPath: string, content: string): Promise<boolean> {
  const draft = await writeDraft(lockPath, content);
  try {
    await link(draft, lockPath);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(lockPath: string, content: string): Promise<void> {
  const draft = await writeDraft(lockPath, content);
  try {
    await rename(draft, lockPath);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(lockPath: string, content: string): Promise<string> {
  const draft = `${lockPath}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  return draft;
}

async function removeIfOwn(lockPath: string, content: string): Promise<void> {
  if ((await readIfExists(lockPath)) === content) {
    await rm(lockPath, { force: true });
  }
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}
