import type { FileStore } from '@keyfront/file-store';

/** The files that may exist and belong to no archive. */
export interface DraftSource {
  addDraft(tokenId: number, fileName: string): Promise<void>;
  /** Cancels all drafts and returns them. From then on, no archive gets one of these files. */
  cancelDrafts(): Promise<CancelledDraft[]>;
  deleteDraft(tokenId: number, fileName: string): Promise<void>;
}

interface CancelledDraft {
  readonly tokenId: number;
  readonly fileName: string;
  /** Began so long ago that nobody writes the file any more. */
  readonly isOld: boolean;
}

/** Deletes what others have left behind who did not end. Whoever is still at work notices it. */
export async function deleteDrafts(source: DraftSource, store: FileStore): Promise<void> {
  for (const { tokenId, fileName, isOld } of await source.cancelDrafts()) {
    await store.remove(fileName);
    if (isOld) await source.deleteDraft(tokenId, fileName);
  }
}
