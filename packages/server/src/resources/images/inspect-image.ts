import type { ImageType } from '@keyfront/protocol';
import { ApiError } from '../../lib/errors/api-error.ts';

/**
 * Returns the type of an image by its content, or throws. Only these three formats reach the decoder. The file must end where its
 * image ends: data behind it can make one file an image and an archive or a page at once.
 */
export function inspectImage(file: Buffer): ImageType {
  for (const { type, hasSignature, inspect } of formats) {
    if (!hasSignature(file)) continue;
    inspect(file);
    return type;
  }
  throw new ApiError('IMAGE_TYPE_REFUSED');
}

interface Format {
  readonly type: ImageType;
  readonly hasSignature: (file: Buffer) => boolean;
  /** Throws if the file is animated or does not end with its image. */
  readonly inspect: (file: Buffer) => void;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

const formats: readonly Format[] = [
  {
    type: 'image/png',
    hasSignature: (file) => file.subarray(0, pngSignature.length).equals(pngSignature),
    inspect: inspectPng,
  },
  {
    type: 'image/jpeg',
    hasSignature: (file) => file.subarray(0, 3).toString('hex') === 'ffd8ff',
    inspect: inspectJpeg,
  },
  {
    type: 'image/webp',
    hasSignature: (file) => textAt(file, 0) === 'RIFF' && textAt(file, 8) === 'WEBP',
    inspect: inspectWebp,
  },
];

const textAt = (file: Buffer, position: number): string => file.toString('latin1', position, position + 4);

const damaged = () => new ApiError('IMAGE_INVALID');
const incomplete = () => new ApiError('IMAGE_INVALID', { message: 'The image is incomplete' });
const followed = () => new ApiError('IMAGE_INVALID', { message: 'Other data follows the image' });
const animated = () => new ApiError('IMAGE_ANIMATED');

/** A PNG is a list of chunks that ends with IEND. Each has a length, a name, its data and a checksum. */
function inspectPng(file: Buffer): void {
  for (let at = pngSignature.length; at + 12 <= file.length; ) {
    const name = textAt(file, at + 4);
    if (name === 'acTL') throw animated();
    at += 12 + file.readUInt32BE(at);
    if (name !== 'IEND') continue;
    if (at < file.length) throw followed();
    return;
  }
  throw incomplete();
}

const jpegMarkers = { end: 0xd9, scan: 0xda, firstRestart: 0xd0, lastRestart: 0xd7 } as const;

/** A JPEG is a list of segments with lengths. The compressed data behind the head of a scan ends at the next marker. */
function inspectJpeg(file: Buffer): void {
  let at = 2;
  while (at + 2 <= file.length) {
    if (file[at] !== 0xff) throw damaged();
    const marker = file[at + 1] ?? 0;
    // Any number of these bytes may come before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === jpegMarkers.end) {
      if (at + 2 < file.length) throw followed();
      return;
    }
    if (at + 4 > file.length) break;
    at += 2 + file.readUInt16BE(at + 2);
    if (marker === jpegMarkers.scan) at = findJpegMarker(file, at);
  }
  throw incomplete();
}

/** The position of the next marker that is not part of compressed data. */
function findJpegMarker(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    const isData = next === 0 || (next >= jpegMarkers.firstRestart && next <= jpegMarkers.lastRestart);
    if (!isData && next !== 0xff) return at;
  }
  throw incomplete();
}

const webpAnimationFlag = 0x02;

/** A WebP file says its length. The first chunk of an extended one says whether it is animated. */
function inspectWebp(file: Buffer): void {
  if (file.length < 30) throw incomplete();
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) throw incomplete();
  if (end < file.length) throw followed();
  if (textAt(file, 12) === 'VP8X' && ((file[20] ?? 0) & webpAnimationFlag) !== 0) throw animated();
}
