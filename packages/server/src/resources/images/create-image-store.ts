import { createFolderImageStore } from './folder-image-store.ts';
import type { ImageStore } from './image-store.ts';
import { createS3ImageStore, type S3Settings } from './s3-image-store.ts';

/** Where uploaded images are stored. */
export type ImageStorage =
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Settings);

export function createImageStore(storage: ImageStorage): ImageStore {
  return storage.kind === 'folder' ? createFolderImageStore(storage.folder) : createS3ImageStore(storage);
}
