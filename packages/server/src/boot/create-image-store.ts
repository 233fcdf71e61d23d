import type { Config } from '../config/config.ts';
import { createFolderImageStore } from '../resources/images/folder-image-store.ts';
import type { ImageStore } from '../resources/images/image-store.ts';
import { createS3ImageStore } from '../resources/images/s3-image-store.ts';

/** Opens the store of uploaded images that the settings name. */
export function createImageStore(storage: NonNullable<Config['imageStorage']>): ImageStore {
  return storage.kind === 'folder' ? createFolderImageStore(storage.folder) : createS3ImageStore(storage);
}
