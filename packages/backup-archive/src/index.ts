import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import {
  encodeTarHeader,
  readTar,
  type TarEntry,
  type TarMember,
  tarEnd,
  tarPadding,
} from '@keyfront/embedded-postgres';

/**
 * A backup is a compressed tar archive:
 *
 * - `keyfront-backup.json` describes it,
 * - `secrets.json` and, if there is one, `demo.json` are those of the data folder,
 * - `postgres/` is a base backup of the cluster,
 * - `images/` are the uploaded images of the data folder, and the archived orders,
 * - `checksums.json` comes last and lists every file. An archive without it is incomplete.
 */
export const archiveNames = {
  description: 'keyfront-backup.json',
  cluster: 'postgres',
  images: 'images',
  checksums: 'checksums.json',
} as const;

/** The files of the data folder that belong to a backup, besides the cluster. */
export const archivedFileNames = ['secrets.json', 'demo.json'] as const;

const formatVersion = 1;

/** A small file of the data folder that belongs to the backup. */
export interface ArchivedFile {
  /** Relative to the data folder. */
  readonly name: string;
  readonly content: Buffer;
}

/** The archive cannot be restored. The message is a sentence without a period. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

interface ArchiveSources {
  readonly files: readonly ArchivedFile[];
  /** A base backup as a tar archive. */
  readonly cluster: AsyncIterable<Buffer>;
  /** Read after the cluster, so that it names no image that the archive lacks. */
  readonly images: AsyncIterable<ArchivedFile>;
}

/** Packs an archive. */
export async function* packArchive(
  { files, cluster, images }: ArchiveSources,
  now: Date,
): AsyncGenerator<Buffer> {
  const checksums: Record<string, string> = {};
  const packMember = async function* ({ entry, content }: TarMember): AsyncGenerator<Buffer> {
    yield encodeTarHeader(entry);
    if (entry.type === 'folder') return;
    const hash = createHash('sha256');
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
    yield tarPadding(entry.size);
    checksums[entry.name] = hash.digest('hex');
  };
  const packFile = (name: string, content: Buffer) => packMember(memberOf(name, content, now));

  const description = {
    format: formatVersion,
    createdAt: now.toISOString(),
    notice: 'This backup contains secrets and personal data: keep it private.',
  };
  yield* packFile(archiveNames.description, encodeJson(description));
  for (const { name, content } of files) yield* packFile(name, content);
  for await (const { entry, content } of readTar(cluster)) {
    // PostgreSQL writes some names as ./pg_wal.
    const name = posix.join(archiveNames.cluster, entry.name);
    yield* packMember({ entry: { ...entry, name }, content });
  }
  for await (const { name, content } of images) yield* packFile(name, content);
  yield* packFile(archiveNames.checksums, encodeJson(checksums));
  yield tarEnd;
}

/**
 * Reads an archive and passes each member to `extract`. Throws an `ArchiveError` when it is not an archive of this format,
 * or when it is damaged or incomplete.
 */
export async function unpackArchive(
  source: AsyncIterable<Buffer>,
  extract: (member: TarMember) => Promise<void>,
): Promise<void> {
  const actual: Record<string, string> = {};
  let expected: Record<string, unknown> | null = null;
  let isFirst = true;
  for await (const { entry, content } of readTar(source)) {
    if (isFirst) await verifyDescription(entry, content);
    else if (entry.name === archiveNames.checksums) expected = Object(await readJson(entry, content));
    else
      await extract({ entry, content: entry.type === 'folder' ? content : hashing(entry, content, actual) });
    isFirst = false;
  }
  if (!expected) throw new ArchiveError('it is incomplete');
  const { [archiveNames.description]: _description, ...listed } = expected;
  const isIntact =
    Object.keys(listed).length === Object.keys(actual).length &&
    Object.entries(listed).every(([name, checksum]) => actual[name] === checksum);
  if (!isIntact) throw new ArchiveError('it is damaged');
}

async function* hashing(
  { name }: TarEntry,
  content: AsyncIterable<Buffer>,
  checksums: Record<string, string>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  checksums[name] = hash.digest('hex');
}

async function verifyDescription(entry: TarEntry, content: AsyncIterable<Buffer>): Promise<void> {
  if (entry.name !== archiveNames.description) throw new ArchiveError('it is not a backup of Keyfront');
  const { format } = Object(await readJson(entry, content));
  if (format !== formatVersion)
    throw new ArchiveError(`it has the format ${format}, which this version does not know`);
}

const maxJsonBytes = 64 * 1024 * 1024;

async function readJson({ size }: TarEntry, content: AsyncIterable<Buffer>): Promise<unknown> {
  if (size > maxJsonBytes) throw new ArchiveError('it is not a backup of Keyfront');
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new ArchiveError('it is damaged');
  }
}

function encodeJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

function memberOf(name: string, content: Buffer, modifiedAt: Date): TarMember {
  const entry: TarEntry = { name, type: 'file', size: content.length, mode: 0o600, modifiedAt };
  return {
    entry,
    content: (async function* () {
      yield content;
    })(),
  };
}
