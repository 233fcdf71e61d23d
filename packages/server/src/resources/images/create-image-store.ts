import type { ImageStorage } from '../../config.ts';
import { createFolderImageStore } from './folder-image-store.ts';
import type { ImageStore } from './image-store.ts';
import { createS3ImageStore } from './s3-image-store.ts';

export function createImageStore(storage: ImageStorage): ImageStore {
  return storage.kind === 'folder' ? createFolderImageStore(storage.folder) : createS3ImageStore(storage);
}
