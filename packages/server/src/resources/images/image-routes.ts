import { imageOperations } from '@keyfront/protocol';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { uploadImage } from './image-rules.ts';
import type { ImageStore } from './image-store.ts';
import type { ImageUrls } from './image-urls.ts';

export function bindImages(binder: OperationBinder, store: ImageStore | null, urls: ImageUrls): void {
  binder.bindUpload(imageOperations.uploadImage, (file) => uploadImage(store, urls, file));
}
