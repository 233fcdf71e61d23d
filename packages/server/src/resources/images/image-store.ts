import { createHash } from 'node:crypto';
import type { ImageType } from '@keyfront/protocol';

const extensions: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** Names an image after its content. */
export function nameImage(content: Buffer, type: ImageType): string {
  return `${createHash('sha256').update(content).digest('hex')}.${extensions[type]}`;
}

const nameForm = /^[0-9a-f]{64}\.(png|jpg|webp)$/;

/** Returns the type of an image by its name. Null if it is not the name of a stored image: no path passes for one. */
export function findImageType(name: string): ImageType | null {
  const [, extension] = nameForm.exec(name) ?? [];
  const found = Object.entries(extensions).find(([, each]) => each === extension);
  return found ? (found[0] as ImageType) : null;
}
