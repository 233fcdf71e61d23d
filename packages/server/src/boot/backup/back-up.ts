import { createWriteStream } from 'node:fs';
import { access, link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ArchivedFile, archivedFileNames, archiveNames, packArchive } from '@keyfront/backup-archive';
import {
  EmbeddedPostgresError,
  findRunningServer,
  lockDataFolder,
  readBaseBackup,
  startEmbeddedPostgres,
} from '@keyfront/embedded-postgres';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { findImageType } from '../../resources/images/image-store.ts';
import { archivesFolder } from '../data-folder/file-stores.ts';
import { embeddedAccess, lockFileName, toStartError } from '../data-folder/open-database.ts';
import { readOrCreateSecrets } from '../data-folder/secrets.ts';

export interface BackupOptions {
  readonly dataFolder: string;
  /** Must not exist. */
  readonly file: string;
  readonly onProgress: (message: string) => void;
  /** Whether the operator has set `DATA_ENCRYPTION_KEY`, which no backup contains. */
  readonly hasOwnDataKey?: boolean;
  readonly signal?: AbortSignal;
}

const progressIntervalMs = 2_000;
const archiveForm = new RegExp(`(^|/)${archivesFolder}/.+\\.jsonl\\.gz$`);
/** Higher levels take several times as long for files that are a fifth smaller. */
const compressionLevel = 1;

/** Writes a backup of the embedded database and its secrets, whether the service runs or not. */
export async function backUp(options: BackupOptions): Promise<void> {
  const { dataFolder, onProgress } = options;
  const file = resolve(options.file);
  await requireDatabase(dataFolder);
  await requireNewFile(file);
  // Only a backup that is complete gets the name.
  const draft = `${file}.partial`;
  try {
    await rm(draft, { force: true });
    await withServer(options, (ownerUrl) => writeDraft(ownerUrl, draft, options));
    await nameDraft(draft, file);
  } catch (error) {
    throw toBackupError(file, error);
  } finally {
    await rm(draft, { force: true });
  }
  const { size } = await stat(file);
  onProgress(`The backup is complete: ${file} (${describeBytes(size)})`);
  onProgress('It contains the secrets of the service and the data of its clients: keep it private.');
  if (options.hasOwnDataKey) {
    onProgress(
      'It does not contain DATA_ENCRYPTION_KEY: keep that key, because a restored service needs it.',
    );
  }
}

async function requireDatabase(dataFolder: string): Promise<void> {
  try {
    await access(join(dataFolder, 'postgres', 'PG_VERSION'));
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'There is no database in' : 'This user cannot read';
    throw new StartError(`${reason} ${dataFolder}: set KEYFRONT_DATA to the data folder of the service.`, {
      cause: error,
    });
  }
}

async function requireNewFile(file: string): Promise<void> {
  const isFree = await access(file).then(
    () => false,
    (error) => errorCode(error) === 'ENOENT',
  );
  if (!isFree) throw new StartError(`The file ${file} exists already: choose another name.`);
}

/** Uses the server of a running service, or starts one for the time of the work. */
async function withServer(
  { dataFolder, onProgress }: BackupOptions,
  work: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const lock = await lockDataFolder(dataFolder, { fileName: lockFileName }).catch((error) => {
    if (error instanceof EmbeddedPostgresError && error.code === 'DATA_FOLDER_IN_USE') return null;
    throw error;
  });
  try {
    const access = embeddedAccess(await readOrCreateSecrets(dataFolder));
    if (!lock) {
      const running = await findRunningServer(dataFolder, access.database, access.owner);
      return await work(running.ownerUrl);
    }
    const postgres = await startEmbeddedPostgres({ ...access, dataFolder, lock, onProgress });
    await work(postgres.ownerUrl).finally(() => postgres.stop());
  } finally {
    await lock?.release();
  }
}

async function writeDraft(
  ownerUrl: string,
  draft: string,
  { dataFolder, onProgress, signal }: BackupOptions,
): Promise<void> {
  const files = await readSecretFiles(dataFolder);
  const images = readImages(dataFolder, await listImages(dataFolder));
  let expectedBytes = 0;
  let readBytes = 0;
  const timer = setInterval(() => {
    onProgress(`  ${describeBytes(readBytes)} of about ${describeBytes(expectedBytes)}`);
  }, progressIntervalMs);
  const cluster = readBaseBackup({
    ownerUrl,
    onSize: (bytes) => {
      expectedBytes = bytes;
      onProgress(`Backing up ${dataFolder} (about ${describeBytes(bytes)} before compression)`);
    },
  });
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of cluster) {
      readBytes += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(
      Readable.from(packArchive({ files, cluster: counted(), images }, new Date())),
      createGzip({ level: compressionLevel }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
  } finally {
    clearInterval(timer);
    cluster.destroy();
  }
}

async function readSecretFiles(dataFolder: string): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for await (const file of readFiles(dataFolder, archivedFileNames)) files.push(file);
  return files;
}

/** Lists the archived orders and the images again when the first one is asked for, which is after the cluster was read. */
async function* readImages(dataFolder: string, former: string[]): AsyncGenerator<ArchivedFile> {
  yield* readFiles(dataFolder, new Set([...former, ...(await listImages(dataFolder))]));
}

/** Reads one file after the other, without those that do not exist. */
async function* readFiles(dataFolder: string, names: Iterable<string>): AsyncGenerator<ArchivedFile> {
  for (const name of names) {
    try {
      yield { name, content: await readFile(join(dataFolder, name)) };
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      // The cluster may name the file that an erasure has replaced.
      if (archiveForm.test(name)) throw new Error('archived orders were erased meanwhile, so try again');
    }
  }
}

async function listImages(dataFolder: string): Promise<string[]> {
  try {
    const names = await readdir(join(dataFolder, archiveNames.images), { recursive: true });
    const archives = names.filter((name) => archiveForm.test(name));
    const images = names.filter((name) => findImageType(name) !== null);
    return [...archives, ...images].map((name) => `${archiveNames.images}/${name}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Fails if a file with the name has appeared in the meantime, unlike a rename. */
async function nameDraft(draft: string, file: string): Promise<void> {
  await link(draft, file);
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

function toBackupError(file: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof EmbeddedPostgresError) return toStartError(error);
  if (error instanceof Error) {
    return new StartError(
      `The backup ${file} could not be written (${error.message}): nothing was left behind.`,
      {
        cause: error,
      },
    );
  }
  return error;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Describes a size for people, such as "12.3 MB". */
function describeBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
