import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '@keyfront/embedded-postgres';
import { errorCode } from '../error-code.ts';
import { StartError } from '../start-error.ts';

const lockName = 'keyfront.lock';
const takeoverPatienceMs = 10_000;
const takeoverPollMs = 5;

export interface DataFolderLock {
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  identity: string;
}

/** Makes this process the only Keyfront that uses the data folder, or throws a StartError. */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  const path = resolve(folder);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lockPath = join(path, lockName);
    const content = await lockContent();
    const holder = await acquire(lockPath, content);
    if (holder !== null) {
      throw new StartError(
        `Another Keyfront (process ${holder.pid}) is using the data folder ${path}: ` +
          'stop it, or set KEYFRONT_DATA to another folder.',
      );
    }
    return releasableLock(lockPath, content);
  } catch (error) {
    if (error instanceof StartError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data folder ${path} cannot be used (${reason}): make it writable, or set KEYFRONT_DATA to another folder.`,
    );
  }
}

function releasableLock(lockPath: string, content: string): DataFolderLock {
  let released: Promise<void> | null = null;
  return {
    release: () => {
      released ??= removeOwn(lockPath, content);
      return released;
    },
  };
}

async function lockContent(): Promise<string> {
  const identity = processIdentity(process.pid);
  if (identity === null) {
    throw new Error('the start time of this process cannot be read');
  }
  // The token tells two locks of one process apart, so that neither removes the other's.
  return `${JSON.stringify({ pid: process.pid, identity, token: randomUUID() })}\n`;
}

/**
 * Returns null when the lock is ours now, else its live holder.
 *
 * A lock appears by link(), which fails when one is there. A left-over lock is only ever replaced by the
 * process that holds the take-over lock beside it; the dead holder does not touch it any more, so nothing can
 * change between the judgement and the replacement. The take-over lock is taken in the same way: should its
 * holder die in the middle, the next level decides who replaces it.
 */
async function acquire(lockPath: string, content: string): Promise<Holder | null> {
  const takeoverPath = `${lockPath}.takeover`;
  const giveUpAt = Date.now() + takeoverPatienceMs;
  for (;;) {
    const holder = await liveHolder(lockPath);
    if (holder === 'none') {
      if (await appear(lockPath, content)) {
        return null;
      }
      continue;
    }
    if (holder !== 'left over') {
      return holder;
    }
    const contender = await acquire(takeoverPath, content);
    if (contender === null) {
      try {
        if ((await liveHolder(lockPath)) === 'left over') {
          await replace(lockPath, content);
          return null;
        }
      } finally {
        await removeOwn(takeoverPath, content);
      }
    } else if (Date.now() > giveUpAt) {
      return contender;
    } else {
      await delay(takeoverPollMs);
    }
  }
}

async function liveHolder(lockPath: string): Promise<Holder | 'none' | 'left over'> {
  const content = await readIfThere(lockPath);
  if (content === null) {
    return 'none';
  }
  const holder = parseHolder(content);
  return holder !== null && processIdentity(holder.pid) === holder.identity ? holder : 'left over';
}

/** Null for an empty or torn file, as a power cut leaves it. */
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

async function appear(lockPath: string, content: string): Promise<boolean> {
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

async function removeOwn(lockPath: string, content: string): Promise<void> {
  if ((await readIfThere(lockPath)) === content) {
    await rm(lockPath, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}
