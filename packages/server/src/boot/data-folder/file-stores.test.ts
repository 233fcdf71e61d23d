import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { uploadImage } from '../../resources/images/image-rules.ts';
import { ImageUrls } from '../../resources/images/image-urls.ts';
import { verifyFileStores } from './file-stores.ts';

it('are tried before the service starts, and say which folder cannot be used', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keyfront-images-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  await verifyFileStores({ kind: 'folder', folder: join(parent, 'images') });
  await writeFile(join(parent, 'file'), '');
  await expect(verifyFileStores({ kind: 'folder', folder: join(parent, 'file', 'images') })).rejects.toThrow(
    /^Images cannot be stored in .+\/file\/images \(ENOTDIR\): make the folder writable by the user of the service, or set/,
  );
});

it('are required for uploads: where there is none, they are refused with what to set', async () => {
  const urls = new ImageUrls(() => 'http://localhost/api/v1');
  await expect(uploadImage(null, urls, Buffer.alloc(0))).rejects.toMatchObject({
    code: 'IMAGE_STORAGE_MISSING',
    message: 'Images cannot be stored: set IMAGE_FOLDER to a folder that all instances share, or S3_BUCKET',
  });
});
