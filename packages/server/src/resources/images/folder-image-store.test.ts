import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolderImageStore, verifyImageFolder } from './folder-image-store.ts';
import { uploadImage } from './image-rules.ts';
import { ImageUrls } from './image-urls.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'keyfront-images-'));
});
afterEach(() => rm(parent, { recursive: true }));

const name = `${'5c'.repeat(32)}.png`;

it('creates its folder, stores complete files that only the service reads, and leaves no drafts', async () => {
  const folder = join(parent, 'images');
  const store = createFolderImageStore(folder);
  expect(await store.find(name)).toBeNull();
  const content = Buffer.from('pixels');
  await Promise.all(Array.from({ length: 8 }, () => store.put(name, content, 'image/png')));
  expect(await store.find(name)).toEqual(content);
  expect(await readdir(folder)).toEqual([name]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
});

it('leaves no draft when the disk refuses', async () => {
  const store = createFolderImageStore(join(parent, 'images'));
  // A folder in the place of the image.
  await createFolderImageStore(join(parent, 'images', name)).put('x', Buffer.from('x'), 'image/png');
  await expect(store.put(name, Buffer.from('pixels'), 'image/png')).rejects.toThrow();
  expect(await readdir(join(parent, 'images'))).toEqual([name]);
});

it('is created and tried before the service starts', async () => {
  const folder = join(parent, 'of', 'images');
  await verifyImageFolder(folder);
  expect(await readdir(folder)).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await writeFile(join(parent, 'file'), '');
  await expect(verifyImageFolder(join(parent, 'file', 'images'))).rejects.toThrow(
    /^Images cannot be stored in .+\/file\/images \(ENOTDIR\): make the folder writable by the user of the service, or set/,
  );
});

it('is required for uploads: where there is none, they are refused with what to set', async () => {
  const urls = new ImageUrls(() => 'http://localhost/api/v1');
  await expect(uploadImage(null, urls, Buffer.alloc(0))).rejects.toMatchObject({
    code: 'IMAGE_STORAGE_MISSING',
    message: 'Images cannot be stored: set IMAGE_FOLDER to a folder that all instances share, or S3_BUCKET',
  });
});
