import { crc32, deflateSync } from 'node:zlib';
import { largestImageBytes } from '@keyfront/protocol';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { samplePicture, samplePng } from '../../support/sample-images.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin, nobody, holder } = await openStorefront();

const upload = (
  body: Buffer | string,
  contentType = 'image/png',
  caller: Pick<typeof admin, 'ask'> = admin,
) => caller.ask('POST', '/admin/images', { body, headers: { 'content-type': contentType } });

async function refusalOf(body: Buffer | string, contentType?: string) {
  const { status, envelope } = await upload(body, contentType);
  expect(envelope).toMatchObject({ success: false, statusCode: status, data: null });
  return [status, envelope.code, envelope.message];
}

const png = await samplePng();
const jpeg = await samplePicture().jpeg().toBuffer();
const progressive = await samplePicture().jpeg({ progressive: true }).toBuffer();
const webp = await samplePicture().webp().toBuffer();

/** A chunk of a PNG. */
function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** A PNG that claims this size. Its zeros compress a thousandfold. */
function bomb(width: number, height: number, rows: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([1, 0], 8);
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows), { level: 9 });
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const frames = [0, 1].map((shade) => ({
  create: { width: 8, height: 8, channels: 3 as const, background: shade === 0 ? '#000' : '#fff' },
}));
const animatedWebp = await sharp(await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())), {
  join: { animated: true },
})
  .webp()
  .toBuffer();
/** As animated PNGs are: a chunk in front of the data says so. */
const animatedPng = Buffer.concat([png.subarray(0, 33), chunk('acTL', Buffer.alloc(8)), png.subarray(33)]);

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(64)]);
const page = Buffer.from('<html><script>alert(1)</script></html>');

const type = [415, 'IMAGE_TYPE_REFUSED', 'The file is not a PNG, JPEG or WebP image'];
const followed = [400, 'IMAGE_INVALID', 'Other data follows the image'];
const incomplete = [400, 'IMAGE_INVALID', 'The image is incomplete'];
const animated = [400, 'IMAGE_ANIMATED', 'The image is animated'];
const pixels = [400, 'IMAGE_TOO_MANY_PIXELS', 'The image has more than 40 million pixels'];
const damaged = [400, 'IMAGE_INVALID', 'The image is damaged, incomplete or followed by other data'];

it.each<[string, Buffer | string, unknown[]]>([
  ['an SVG, which can contain scripts', svg, type],
  ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), type],
  ['a page', page, type],
  ['an archive', archive, type],
  ['a PDF', '%PDF-1.7', type],
  ['nothing', Buffer.alloc(0), type],
  ['a page in front of an image', Buffer.concat([page, png]), type],
  ['the signature of a PNG alone', png.subarray(0, 8), incomplete],
  ['a PNG with an archive behind it', Buffer.concat([png, archive]), followed],
  ['a JPEG with a page behind it', Buffer.concat([jpeg, page]), followed],
  ['a progressive JPEG with an archive behind it', Buffer.concat([progressive, archive]), followed],
  ['a WebP with a page behind it', Buffer.concat([webp, page]), followed],
  ['an animated WebP', animatedWebp, animated],
  ['an animated PNG', animatedPng, animated],
  ['a PNG of 2 billion pixels in 3 kB', bomb(50_000, 40_000, 400), pixels],
  ['a PNG that claims more pixels than there can be', bomb(0x7fffffff, 0x7fffffff, 1), damaged],
  ['a PNG with fewer rows than it claims', bomb(4_000, 4_000, 10), damaged],
  ['a PNG whose data is damaged', Buffer.from(png).fill(0x55, 60, 90), damaged],
  ['a JPEG without its tables', Buffer.concat([jpeg.subarray(0, 20), jpeg.subarray(-40)]), damaged],
])('refuses %s', async (_name, body, expected) => {
  const refusal = await refusalOf(body);
  // A decoder may notice another fault first.
  if (expected === damaged) expect(refusal.slice(0, 2)).toEqual(damaged.slice(0, 2));
  else expect(refusal).toEqual(expected);
});

it.each([
  ['PNG', png],
  ['JPEG', jpeg],
  ['progressive JPEG', progressive],
  ['WebP', webp],
])('refuses a %s that ends early, wherever that is', async (_name, file) => {
  for (const share of [0.1, 0.5, 0.9, 0.99]) {
    const [status, code] = await refusalOf(file.subarray(0, Math.floor(file.length * share)));
    expect([status, code]).toEqual([400, 'IMAGE_INVALID']);
  }
});

it('refuses more than 5 MB before it reads them all', async () => {
  const file = Buffer.concat([png, Buffer.alloc(6_000_000 - png.length)]);
  expect(await refusalOf(file)).toEqual([413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 5 MiB']);
  expect(await refusalOf(Buffer.alloc(largestImageBytes))).toEqual(type);
});

it.each(['application/json', 'multipart/form-data; boundary=x', 'text/html', 'image/svg+xml'])(
  'refuses a body that is sent as %s',
  async (contentType) => {
    expect(await refusalOf(png, contentType)).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be sent as one of image/png, image/jpeg, image/webp, application/octet-stream',
    ]);
  },
);

it('takes no image where JSON is expected', async () => {
  const reply = await admin.ask('POST', '/admin/planets', {
    body: png,
    headers: { 'content-type': 'image/png' },
  });
  expect([reply.status, reply.envelope.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

it('is for administrators only', async () => {
  expect((await upload(png, 'image/png', nobody)).status).toBe(401);
  expect((await upload(png, 'image/png', holder)).envelope.code).toBe('TOKEN_REQUIRED');
  expect((await upload(png, 'image/png', holder.signedIn)).envelope.code).toBe('ADMINISTRATOR_REQUIRED');
});

it('handles uploads one after the other, and other requests meanwhile', async () => {
  const picture = await samplePicture(600, 600).png().toBuffer();
  const uploads = Promise.all(Array.from({ length: 4 }, () => upload(picture)));
  expect((await holder.ask('GET', '/planets')).status).toBe(200);
  for (const { status } of await uploads) expect(status).toBe(201);
});
