import { createHash } from 'node:crypto';
import type { UploadedImage } from '@keyfront/protocol';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { samplePicture } from '../../support/sample-images.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

const upload = async (body: Buffer, contentType = 'image/png') =>
  dataOf<UploadedImage>(
    await admin.ask('POST', '/admin/images', { body, headers: { 'content-type': contentType } }),
  );
const fetchImage = async ({ imageUrl }: UploadedImage) => {
  const response = await fetch(imageUrl);
  return { response, content: Buffer.from(await response.arrayBuffer()) };
};

it.each([
  ['image/png', 'png', () => samplePicture().png().toBuffer()],
  ['image/jpeg', 'jpg', () => samplePicture().jpeg().toBuffer()],
  ['image/webp', 'webp', () => samplePicture().webp().toBuffer()],
] as const)(
  'stores %s, and serves it to anybody under the name of its content',
  async (type, extension, make) => {
    const uploaded = await upload(await make(), type);
    const { response, content } = await fetchImage(uploaded);
    const hash = createHash('sha256').update(content).digest('hex');
    expect(uploaded).toEqual({
      imageUrl: expect.stringMatching(
        new RegExp(`^http://127\\.0\\.0\\.1:\\d+/images/${hash}\\.${extension}$`),
      ),
      contentType: type,
      width: 64,
      height: 48,
      sizeBytes: content.length,
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  },
);

it('gives the same image for the same file', async () => {
  const file = await samplePicture(50, 50).png().toBuffer();
  expect(await upload(file)).toEqual(await upload(file));
});

it('finds the type in the content, whatever the header says', async () => {
  const file = await samplePicture(40, 40).jpeg().toBuffer();
  for (const contentType of ['image/png', 'image/webp', 'application/octet-stream']) {
    expect((await upload(file, contentType)).contentType).toBe('image/jpeg');
  }
});

it('keeps nothing of the file but its pixels', async () => {
  const secret = '<script>alert("exif")</script>';
  const exif = { IFD0: { Copyright: secret, ImageDescription: secret } };
  for (const file of [
    await samplePicture().withExif(exif).jpeg().toBuffer(),
    await samplePicture().withExif(exif).png().toBuffer(),
    await samplePicture().withExif(exif).webp().toBuffer(),
  ]) {
    expect(file.includes('alert')).toBe(true);
    const { content } = await fetchImage(await upload(file));
    expect(content.includes('alert')).toBe(false);
    const { exif: left, icc, xmp, comments } = await sharp(content).metadata();
    expect([left, icc, xmp, comments]).toEqual([undefined, undefined, undefined, undefined]);
  }
});

it('turns a picture as its camera says, and makes a large one smaller', async () => {
  const turned = await samplePicture(64, 48).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await upload(turned)).toMatchObject({ width: 48, height: 64 });
  const large = await sharp({ create: { width: 4096, height: 1024, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
  expect(await upload(large)).toMatchObject({ width: 2048, height: 512 });
});

it('keeps transparency', async () => {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const file = await sharp({ create: { width: 8, height: 8, channels: 4, background } })
    .png()
    .toBuffer();
  const { content } = await fetchImage(await upload(file));
  expect((await sharp(content).stats()).isOpaque).toBe(false);
});
