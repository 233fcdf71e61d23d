import { createFolderStore, createS3Store, type FileStore, tryFolder } from '@keyfront/file-store';
import type { Config } from '../../config/config.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';

/** Opens the store of uploaded images, if there is one. */
export function openFileStores(storage: Config['imageStorage']): { readonly imageStore: FileStore | null } {
  if (storage === null) return { imageStore: null };
  return {
    imageStore: storage.kind === 's3' ? createS3Store(storage, 'images') : createFolderStore(storage.folder),
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
