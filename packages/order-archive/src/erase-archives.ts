import type { FileStore } from '@keyfront/file-store';
import { type ArchivedFile, DamagedArchive, nameArchive, readArchive, storeArchive } from './archive-file.ts';
import { type DraftSource, deleteDrafts } from './drafts.ts';

const maxAttempts = 100;

/** An archive of the digital key whose client is erased. */
export interface ArchiveToErase extends ArchivedFile {
  readonly tokenId: number;
  readonly id: string;
  readonly month: string;
}

export interface ErasureSource extends DraftSource {
  /** Lists the archives that contain orders of the client. */
  listArchives(): Promise<ArchiveToErase[]>;
  /** Returns the lines of orders of the client without personal data, by their position. */
  eraseLines(lines: readonly string[]): Promise<Map<number, string>>;
  /** Records the file that replaces another. Returns false, and does nothing, if somebody else was faster, or the draft is cancelled. */
  replaceFile(archive: ArchiveToErase, replacement: ArchivedFile): Promise<boolean>;
}

/** Removes the personal data of a client from all archives. May be repeated, and continues where it ended. */
export async function eraseArchives(source: ErasureSource, store: FileStore): Promise<void> {
  // Files that somebody has written and not recorded, or replaced and not deleted, may contain orders of the client.
  await deleteDrafts(source, store);
  // Somebody may replace a file at the same time, for another client.
  for (let attempt = 1; !(await eraseEach(source, store)); attempt++)
    if (attempt === maxAttempts) throw new Error('Archived orders cannot be erased: try again');
}

async function eraseEach(source: ErasureSource, store: FileStore): Promise<boolean> {
  // A file that is lost does not keep the others from being erased.
  let lost: Error | null = null;
  for (const archive of await source.listArchives()) {
    const { tokenId, month, fileName } = archive;
    let lines: string[] | null;
    try {
      lines = await readArchive(store, archive);
    } catch (error) {
      if (!(error instanceof DamagedArchive)) throw error;
      lost ??= error;
      continue;
    }
    if (lines === null) {
      // Replaced and deleted since it was listed.
      if (!(await source.listArchives()).some((each) => each.fileName === fileName)) return false;
      lost ??= new Error(`The file ${fileName} of archived orders is missing`);
      continue;
    }
    const erased = await source.eraseLines(lines);
    const kept = lines.map((line, index) => erased.get(index) ?? line);
    if (kept.every((line, index) => line === lines[index])) continue;
    const newName = nameArchive(tokenId, month);
    await source.addDraft(tokenId, newName);
    const checksum = await storeArchive(store, newName, kept);
    const isReplaced =
      checksum !== null && (await source.replaceFile(archive, { fileName: newName, checksum }));
    const unused = isReplaced ? fileName : newName;
    await store.remove(unused);
    await source.deleteDraft(tokenId, unused);
    if (!isReplaced) return false;
  }
  if (lost !== null) throw lost;
  return true;
}
