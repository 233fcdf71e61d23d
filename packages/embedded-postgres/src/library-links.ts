import { chmod, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';

interface LibraryLink {
  path: string;
  target: string;
}

/**
 * Creates the library links of a platform package. Its install script would create them, but installs often run with
 * scripts disabled. Where the package is not writable, the links go to `fallbackFolder`, which is then returned as the
 * folder to search for libraries; otherwise returns null.
 */
export async function makeLibraryLinks(
  packageFolder: string,
  fallbackFolder: string,
): Promise<string | null> {
  const missing: LibraryLink[] = [];
  for (const link of await readLinks(packageFolder)) {
    if (!(await exists(link.path))) {
      missing.push(link);
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
        'LIBRARY_LINKS_NOT_WRITABLE',
        `PostgreSQL needs library links in ${packageFolder}, which is not writable (${code})`,
        { cause: error },
      );
    }
    return await fillFallbackFolder(fallbackFolder, missing);
  }
}

async function fillFallbackFolder(fallbackFolder: string, missing: LibraryLink[]): Promise<string> {
  // It may contain links to an earlier location or version of the package.
  await rm(fallbackFolder, { recursive: true, force: true });
  await mkdir(fallbackFolder);
  // PostgreSQL may run as another user, so the umask must not decide.
  await chmod(fallbackFolder, 0o755);
  for (const { path, target } of missing) {
    await makeLink(target, join(fallbackFolder, basename(path)));
  }
  return fallbackFolder;
}

async function makeLink(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    // Another process may have created the same link in the meantime.
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

async function exists(path: string): Promise<boolean> {
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
