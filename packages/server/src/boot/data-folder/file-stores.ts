import { join } from 'node:path';
import { createFolderStore, createS3Store, type FileStore, tryFolder } from '@keyfront/file-store';
import type { Config } from '../../config/config.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';

/** Beside the images. */
export const archivesFolder = 'orders';

interface FileStores {
  readonly imageStore: FileStore | null;
  /** For archived orders, which nobody may read as images. */
  readonly archiveStore: FileStore | null;
}

/** Opens the stores in the folder or the bucket, if there is one. */
export function openFileStores(storage: Config['imageStorage']): FileStores {
  if (storage === null) return { imageStore: null, archiveStore: null };
  return storage.kind === 's3'
    ? { imageStore: createS3Store(storage, 'images'), archiveStore: createS3Store(storage, archivesFolder) }
    : {
        imageStore: createFolderStore(storage.folder),
        archiveStore: createFolderStore(join(storage.folder, archivesFolder)),
      };
}

/** Throws a `StartError` if the store is a folder to which no file can be written. */
export async function verifyFileStores(storage: Config['imageStorage']): Promise<void> {
  if (storage?.kind !== 'folder') return;
  try {
    await tryFolder(storage.folder);
  } catch (error) {
    throw new StartError(
      `Images cannot be stored in ${storage.folder} (${errorCode(error)}): make the folder writable by the user of the service, ` +
        'or set IMAGE_FOLDER to another one.',
      { cause: error },
    );
  }
}
