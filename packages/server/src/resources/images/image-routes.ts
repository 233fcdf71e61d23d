import type { FileStore } from '@keyfront/file-store';
import { imageOperations } from '@keyfront/protocol';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { uploadImage } from './image-rules.ts';
import type { ImageUrls } from './image-urls.ts';

export function addImageRoutes(router: OperationRouter, store: FileStore | null, urls: ImageUrls): void {
  router.addUpload(imageOperations.uploadImage, (file) => uploadImage(store, urls, file));
}
