import type { FileStore } from '@keyfront/file-store';

/** The files that may exist and belong to no archive. */
export interface DraftSource {
  addDraft(tokenId: number, fileName: string): Promise<void>;
  listDrafts(): Promise<{ readonly tokenId: number; readonly fileName: string }[]>;
  deleteDraft(tokenId: number, fileName: string): Promise<void>;
}

/** Deletes what others have left behind who did not end. Whoever is still at work notices it. */
export async function deleteDrafts(source: DraftSource, store: FileStore): Promise<void> {
  for (const { tokenId, fileName } of await source.listDrafts()) {
    await store.remove(fileName);
    await source.deleteDraft(tokenId, fileName);
  }
}
