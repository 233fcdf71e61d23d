import { createS3Store } from '@keyfront/file-store';
import type { UploadedImage } from '@keyfront/protocol';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FakeS3, startS3 } from '../../../../../test/support/fake-s3.ts';
import { samplePng } from '../../../../../test/support/sample-images.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';

const administrator: AdministratorScope = { role: 'administrator', walletAddress: `0x${'ad'.repeat(20)}` };
let s3: FakeS3;
let service: TestApp;

beforeAll(async () => {
  s3 = await startS3();
  service = await startTestApp({
    guard: async () => ({ scope: administrator, credentialId: administrator.walletAddress }),
    imageStore: createS3Store(s3.settings, 'images'),
  });
});
afterAll(async () => {
  await service.close();
  s3.close();
});
beforeEach(() => {
  s3.isDown = false;
  s3.requests.length = 0;
});

const upload = async () =>
  fetch(`${service.origin}/api/v1/admin/images`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: Uint8Array.from(await samplePng()),
  });

it('stores an image in the bucket with a signed request, and serves it from there', async () => {
  const response = await upload();
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: UploadedImage };
  const name = data.imageUrl.split('/').at(-1);
  expect(s3.requests).toEqual([
    {
      method: 'PUT',
      path: `/shop-images/images/${name}`,
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=an-access-key\/\d{8}\/eu-west-1\/s3\//,
      ),
    },
  ]);
  const stored = s3.objects.get(`/shop-images/images/${name}`);
  expect(stored?.contentType).toBe('image/png');
  const served = await fetch(data.imageUrl);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await served.arrayBuffer())).toEqual(stored?.content);
  // Once it was read, the process has it.
  await fetch(data.imageUrl);
  expect(s3.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
});

it('is a 404 for an image that the bucket does not have', async () => {
  expect((await fetch(`${service.origin}/images/${'1'.repeat(64)}.webp`)).status).toBe(404);
});

it('asks the bucket only for names that an image can have', async () => {
  for (const name of ['secrets.json', '..%2f..%2fother-bucket%2fx.png', `${'1'.repeat(64)}.svg`]) {
    expect((await fetch(`${service.origin}/images/${name}`)).status).toBe(404);
  }
  expect(s3.requests).toEqual([]);
});

it('is a 503 without internals while the bucket is down', async () => {
  s3.isDown = true;
  for (const response of [await upload(), await fetch(`${service.origin}/images/${'2'.repeat(64)}.png`)]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    const text = await response.text();
    expect(text).toContain('UNAVAILABLE');
    expect(text).not.toContain('shop-images');
  }
  expect(service.logLines.join('\n')).not.toContain(s3.settings.credentials?.secretAccessKey);
}, 30_000);
