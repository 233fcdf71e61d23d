import { BoundedMap } from '@keyfront/bounded-map';
import type { FileStore } from '@keyfront/file-store';
import type { FastifyInstance } from 'fastify';
import {
  type PrecompressedFile,
  precompressedFile,
  precompressFile,
  sendPrecompressed,
} from '../../http/precompressed-file.ts';
import { notFound } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { findImageType } from './image-store.ts';
import { imagesPath } from './image-urls.ts';

export interface ImageSources {
  /** Finds an image that the service draws itself (SVG), by its path below `/images/`. */
  readonly findDrawing: (path: string) => string | null;
  /** Null if no images can be uploaded. */
  readonly store: FileStore | null;
}

/** The process does not ask the store again for images that it has served lately. Large ones are not kept. */
const maxCached = 128;
const maxCachedBytes = 512 * 1024;

/**
 * Pages of any origin may show an image. Opened as a document, it runs no script and loads nothing, which an SVG could do
 * otherwise. The content under a name never changes.
 */
const imageHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
};

/** Serves images to anybody. */
export function serveImages(app: FastifyInstance, sources: ImageSources): void {
  const cache = new BoundedMap<PrecompressedFile>(maxCached);
  app.get(`${imagesPath}*`, async (request, reply) => {
    const name = targetOf(request).path.slice(imagesPath.length);
    const file = cache.get(name) ?? (await findFile(sources, name));
    if (!file) throw notFound('Image');
    if (sizeOf(file) <= maxCachedBytes) cache.set(name, file);
    return sendPrecompressed(request, reply, file);
  });
}

async function findFile(
  { findDrawing, store }: ImageSources,
  name: string,
): Promise<PrecompressedFile | null> {
  const drawing = findDrawing(name);
  if (drawing !== null) {
    return precompressFile(drawing, { ...imageHeaders, 'content-type': 'image/svg+xml' });
  }
  const type = findImageType(name);
  const content = type && (await store?.find(name));
  if (!content) return null;
  const headers = { ...imageHeaders, 'content-type': type };
  return precompressedFile({ hash: name, headers, plain: content });
}

function sizeOf({ representations }: PrecompressedFile): number {
  return representations.reduce((sum, { body }) => sum + body.length, 0);
}
