import type { ImageType } from '@keyfront/protocol';
import type { Metadata, Sharp } from 'sharp';
import { ApiError } from '../../lib/errors/api-error.ts';
import { inspectImage } from './inspect-image.ts';

export interface EncodedImage {
  readonly type: ImageType;
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A decoded image takes four bytes for each pixel. */
const maxPixels = 40_000_000;
/** A picture in a shop is never shown larger. */
const maxSidePixels = 2_048;
const timeoutSeconds = 15;

/**
 * Decodes an image and encodes its pixels again, in the same format. Nothing else of the file is kept. The work runs in a thread of
 * libuv, one for each image; the caller limits how many images are worked on at a time.
 */
export async function reencodeImage(file: Buffer): Promise<EncodedImage> {
  const type = inspectImage(file);
  const sharp = await loadSharp();
  const image = sharp(file, {
    limitInputPixels: maxPixels,
    failOn: 'error',
    // Rows are read as they are needed, so that the whole image is not in memory before it is made smaller.
    sequentialRead: true,
  });
  try {
    const metadata = await image.metadata();
    requirePlainImage(metadata, type);
    const { data, info } = await encode(prepare(image), type).toBuffer({ resolveWithObject: true });
    return { type, content: data, width: info.width, height: info.height };
  } catch (error) {
    throw toImageError(error);
  }
}

/** Loaded with the first upload: it takes time and memory that most processes never need. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // One thread for each image, and nothing is kept between images.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

function requirePlainImage({ format, pages = 1, width, height }: Metadata, type: ImageType): void {
  if (`image/${format}` !== type) throw new ApiError('IMAGE_TYPE_REFUSED');
  if (pages > 1) throw new ApiError('IMAGE_ANIMATED');
  if (width * height > maxPixels) throw new ApiError('IMAGE_TOO_MANY_PIXELS');
}

/** The orientation and the color profile of the file become part of the pixels. */
function prepare(image: Sharp): Sharp {
  return image
    .autoOrient()
    .resize({ width: maxSidePixels, height: maxSidePixels, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: timeoutSeconds });
}

function encode(image: Sharp, type: ImageType): Sharp {
  switch (type) {
    case 'image/png':
      return image.png();
    case 'image/jpeg':
      return image.jpeg({ quality: 85, progressive: true });
    case 'image/webp':
      return image.webp({ quality: 85 });
  }
}

/** The messages of libvips may quote the content of the file, so callers see only ours. */
function toImageError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  if (/exceeds pixel limit/i.test(error.message))
    return new ApiError('IMAGE_TOO_MANY_PIXELS', { cause: error });
  if (/timeout/i.test(error.message)) return new ApiError('IMAGE_TOO_SLOW', { cause: error });
  return new ApiError('IMAGE_INVALID', { cause: error });
}
