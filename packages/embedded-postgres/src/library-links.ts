import { chmod, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';

interface LibraryLink {
  path: string;
  target: string;
}

/**
 * Makes the library links of a platform package, which its install script would make; the service runs without
 * install scripts. Returns the folder to search for libraries where the package cannot be written to, else null.
 */
export async function makeLibraryLinks(packageFolder: string, spareFolder: string): Promise<string | null> {
  const missing: LibraryLink[] = [];
  for (const entry of await readLinks(packageFolder)) {
    if (!(await isThere(entry.path))) {
      missing.push(entry);
    }
  }
  try {
    for (const { path, target } of missing) {
      await makeLink(relative(dirname(path), target), path);
    }
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') {
      throw error;
    }
    if (process.platform !== 'linux') {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL needs library links in ${packageFolder}, which cannot be written (${code}): ` +
          'start once as the owner of that folder, or set DATABASE_URL to a PostgreSQL of your own.',
      );
    }
    return await makeSpareFolder(spareFolder, missing);
  }
}

async function makeSpareFolder(spareFolder: string, missing: LibraryLink[]): Promise<string> {
  // Links of an earlier place or version of the package may stand there.
  await rm(spareFolder, { recursive: true, force: true });
  await mkdir(spareFolder);
  // Whatever the umask: PostgreSQL may run as another user.
  await chmod(spareFolder, 0o755);
  for (const { path, target } of missing) {
    await makeLink(target, join(spareFolder, basename(path)));
  }
  return spareFolder;
}

async function makeLink(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    // Another process may be making the same links at this moment.
    if (errorCode(error) !== 'EEXIST') {
      throw error;
    }
  }
}

async function readLinks(packageFolder: string): Promise<LibraryLink[]> {
  const list: unknown = JSON.parse(await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'));
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) =>
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    'target' in entry &&
    typeof entry.source === 'string' &&
    typeof entry.target === 'string'
      ? [{ path: join(packageFolder, entry.target), target: join(packageFolder, entry.source) }]
      : [],
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}
