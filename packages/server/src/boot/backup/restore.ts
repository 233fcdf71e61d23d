import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError, archivedFileNames, archiveNames, unpackArchive } from '@keyfront/backup-archive';
import {
  EmbeddedPostgresError,
  lockDataFolder,
  startEmbeddedPostgres,
  TarError,
  type TarMember,
} from '@keyfront/embedded-postgres';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { embeddedAccess, lockFileName, toStartError } from '../data-folder/open-database.ts';
import { readOrCreateSecrets } from '../data-folder/secrets.ts';

export interface RestoreOptions {
  /** Must be empty or absent. */
  readonly dataFolder: string;
  readonly file: string;
  readonly onProgress: (message: string) => void;
}

const stagingPrefix = 'restore.new-';
/** In the order in which they are moved: a cluster without its secrets cannot be mistaken for an empty data folder. */
const restoredNames: readonly string[] = [archiveNames.cluster, archiveNames.images, ...archivedFileNames];

/**
 * Restores a backup into an empty data folder. Nothing appears there before all of the backup was verified and its database
 * has started.
 */
export async function restore({ dataFolder, file, onProgress }: RestoreOptions): Promise<void> {
  const path = resolve(file);
  await requireReadable(path);
  try {
    const lock = await lockDataFolder(dataFolder, { fileName: lockFileName });
    try {
      await requireEmpty(dataFolder);
      const staging = await mkdtemp(join(dataFolder, stagingPrefix));
      try {
        onProgress(`Reading ${path}`);
        await extractTo(staging, path);
        await proveDatabase(staging, onProgress);
        await moveInto(dataFolder, staging);
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw toRestoreError(path, error);
  }
  onProgress(`The backup is restored to ${dataFolder}: start the service.`);
}

async function requireReadable(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    throw new StartError(`The backup ${file} does not exist or cannot be read.`, { cause: error });
  }
}

/** Throws unless the folder is empty. Removes the staging folders of restores that were killed. */
async function requireEmpty(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(stagingPrefix)) await rm(join(dataFolder, name), { recursive: true, force: true });
    else if (name !== lockFileName) {
      throw new StartError(
        `The data folder ${dataFolder} is not empty: move its files away, or set KEYFRONT_DATA to a new folder.`,
      );
    }
  }
}

async function extractTo(staging: string, file: string): Promise<void> {
  const source = createReadStream(file);
  const content = source.pipe(createGunzip());
  source.on('error', (error) => content.destroy(error));
  try {
    await unpackArchive(content, (member) => extractMember(staging, member));
  } finally {
    source.destroy();
    content.destroy();
  }
  // The umask of an extracted folder must not matter to PostgreSQL.
  await chmod(join(staging, archiveNames.cluster), 0o700);
}

async function extractMember(staging: string, { entry, content }: TarMember): Promise<void> {
  const parts = entry.name.split('/');
  const isKnown = restoredNames.includes(parts[0] ?? '');
  if (!isKnown || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new ArchiveError('it is not a backup of Keyfront');
  }
  const path = join(staging, ...parts);
  if (entry.type === 'folder') {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return;
  }
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(content), createWriteStream(path, { flags: 'wx', mode: entry.mode & 0o700 }));
}

/** Starts the database once: it becomes consistent, and its passwords and content prove to belong together. */
async function proveDatabase(staging: string, onProgress: (message: string) => void): Promise<void> {
  const access = embeddedAccess(await readOrCreateSecrets(staging));
  const postgres = await startEmbeddedPostgres({ ...access, dataFolder: staging, onProgress });
  await postgres.stop();
}

async function moveInto(dataFolder: string, staging: string): Promise<void> {
  for (const name of restoredNames) {
    try {
      await rename(join(staging, name), join(dataFolder, name));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  const folder = await open(dataFolder, 'r');
  await folder.sync().finally(() => folder.close());
}

/** The errors of zlib for a file that is not compressed, is damaged, or ends early. */
const compressionReasons: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: 'it is damaged, or not a backup of Keyfront',
  Z_BUF_ERROR: 'it is incomplete',
};

function toRestoreError(file: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof EmbeddedPostgresError) return toStartError(error);
  if (!(error instanceof Error)) return error;
  const reason =
    error instanceof ArchiveError
      ? error.message
      : error instanceof TarError
        ? 'it is damaged'
        : (compressionReasons[errorCode(error) ?? ''] ?? error.message);
  return new StartError(`The backup ${file} cannot be restored: ${reason}. The data folder is unchanged.`, {
    cause: error,
  });
}
