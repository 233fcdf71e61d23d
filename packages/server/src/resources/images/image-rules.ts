import type { FileStore } from '@keyfront/file-store';
import type { UploadedImage } from '@keyfront/protocol';
import { ApiError } from '../../lib/errors/api-error.ts';
import { nameImage } from './image-store.ts';
import { type ImageUrls, imagesPath } from './image-urls.ts';
import { reencodeImage } from './reencode-image.ts';

/** Stores an uploaded image under the name of its content. */
export async function uploadImage(
  store: FileStore | null,
  urls: ImageUrls,
  file: Buffer,
): Promise<UploadedImage> {
  if (!store) throw new ApiError('IMAGE_STORAGE_MISSING');
  const { type, content, width, height } = await reencodeImage(file);
  const name = nameImage(content, type);
  await store.put(name, content, type);
  return {
    imageUrl: urls.publish(imagesPath + name),
    contentType: type,
    width,
    height,
    sizeBytes: content.length,
  };
}
