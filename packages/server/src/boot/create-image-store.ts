import type { ImageStorage } from '../config/config.ts';
import { createFolderImageStore } from '../resources/images/folder-image-store.ts';
import type { ImageStore } from '../resources/images/image-store.ts';
import { createS3ImageStore } from '../resources/images/s3-image-store.ts';

export function createImageStore(storage: ImageStorage): ImageStore {
  return storage.kind === 'folder' ? createFolderImageStore(storage.folder) : createS3ImageStore(storage);
}
