import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';
import { type Binaries, describeBinaries } from './find-binaries.ts';
import { canEnter, canUse, type SystemUser } from './path-access.ts';
import { notReachable } from './run-as.ts';

/** For programs of root, as the Filesystem Hierarchy Standard has it. Only root can write there. */
const sharedFolder = '/var/lib/embedded-postgres';

export interface ReachableOptions {
  onProgress: (message: string) => void;
  /** Contains one copy of the programs for each version. */
  copiesFolder?: string;
}

/**
 * Returns programs that the user can run. If they are installed in a folder that only root may enter, such as the home
 * folder of root, they are copied once to a folder that everybody may enter. They contain nothing secret.
 */
export async function makeReachable(
  binaries: Binaries,
  user: SystemUser | null,
  { onProgress, copiesFolder = sharedFolder }: ReachableOptions,
): Promise<Binaries> {
  if (user === null || (await areReachable(binaries, user))) {
    return binaries;
  }
  const copy = join(copiesFolder, await readVersion(binaries.packageFolder));
  try {
    if (!(await exists(copy))) {
      onProgress(
        `Copying the PostgreSQL programs to ${copy}, because the user of PostgreSQL cannot enter ${binaries.packageFolder}`,
      );
      await copyPackage(binaries.packageFolder, copy);
    }
    const copied = await describeBinaries(copy, join(copy, 'libraries'));
    if (await areReachable(copied, user)) {
      return copied;
    }
  } catch (error) {
    throw notReachable(user, `the folder of its programs (${dirname(binaries.postgres)})`, { cause: error });
  }
  throw notReachable(user, `the folder of its programs (${dirname(binaries.postgres)}), or ${copiesFolder}`);
}

async function areReachable({ initdb, postgres, folders }: Binaries, user: SystemUser): Promise<boolean> {
  for (const path of [initdb, postgres, ...folders]) {
    if (!(await canUse(path, user))) {
      return false;
    }
  }
  return canEnter(dirname(postgres), user);
}

/** Copies the programs into a staging folder and renames it, so that a crash never leaves half a copy. */
async function copyPackage(packageFolder: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  const staging = await mkdtemp(`${copy}.new-`);
  try {
    const native = join(staging, 'native');
    await cp(join(packageFolder, 'native'), native, { recursive: true, verbatimSymlinks: true });
    await letEverybodyRead(staging);
    await rename(staging, copy);
  } catch (error) {
    // Another process may have made the same copy in the meantime.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** An installation under a strict umask is readable by root only. */
async function letEverybodyRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) {
      await chmod(path, 0o755);
    } else if (entry.isFile()) {
      await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

async function readVersion(packageFolder: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  return version;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}
