import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FileStore } from '@keyfront/file-store';

/** A file of archived orders, as the database records it. */
export interface ArchivedFile {
  readonly fileName: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string;
}

/** The content of a file is not what was recorded. */
export class DamagedArchive extends Error {}

const contentType = 'application/gzip';

/** Makes a name that no other file has, so that nobody can delete or replace a file that he has not written. */
export function nameArchive(tokenId: number, month: string): string {
  return `${tokenId}/${month}/${randomUUID()}.jsonl.gz`;
}

/** SHA-256 of lines, each with its line break. */
export function hashLines(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/**
 * Writes lines to a new file, reads it back, and throws unless it has the same lines. Returns its checksum, or null if somebody has deleted
 * the file meanwhile.
 */
export async function storeArchive(
  store: FileStore,
  fileName: string,
  lines: readonly string[],
): Promise<string | null> {
  const content = await promisify(gzip)(`${lines.join('\n')}\n`);
  const checksum = hashContent(content);
  await store.put(fileName, content, contentType);
  const stored = await readArchive(store, { fileName, checksum });
  if (stored === null) return null;
  if (stored.length !== lines.length || hashLines(stored) !== hashLines(lines))
    throw new Error(`The file ${fileName} does not contain what was written to it`);
  return checksum;
}

/** Reads the lines of a file. Null if there is none with its name. Throws if its content is not what was recorded. */
export async function readArchive(
  store: FileStore,
  { fileName, checksum }: ArchivedFile,
): Promise<string[] | null> {
  const content = await store.find(fileName);
  if (content === null) return null;
  if (hashContent(content) !== checksum)
    throw new DamagedArchive(
      `The file ${fileName} of archived orders is damaged: its checksum is another one`,
    );
  const lines = (await promisify(gunzip)(content)).toString('utf8').split('\n');
  // Behind the last line break.
  lines.pop();
  return lines;
}

function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
