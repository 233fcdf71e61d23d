import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { UploadedImage } from '@keyfront/protocol';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { samplePng } from '../../../../../test/support/sample-images.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { createS3ImageStore } from './s3-image-store.ts';

const administrator: AdministratorScope = { role: 'administrator', walletAddress: `0x${'ad'.repeat(20)}` };
const credentials = { accessKeyId: 'an-access-key', secretAccessKey: 'a secret of the bucket' };

interface StoredObject {
  readonly content: Buffer;
  readonly contentType: string;
}

/** Objects by their path, as the store of another vendor keeps them. */
const objects = new Map<string, StoredObject>();
const requests: { method: string; path: string; authorization: string }[] = [];
let isDown = false;
let s3: Server;
let service: TestApp;

/** As much of the protocol of S3 as PutObject and GetObject need. */
async function startS3(): Promise<string> {
  s3 = createServer(async (request, response) => {
    const content = await buffer(request);
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const { authorization = '', 'content-type': contentType = '' } = request.headers;
    requests.push({ method: request.method ?? '', path, authorization });
    if (isDown) return response.writeHead(503).end();
    if (request.method === 'PUT') {
      objects.set(path, { content, contentType });
      return response.writeHead(200, { etag: '"x"' }).end();
    }
    const found = objects.get(path);
    if (found) return response.writeHead(200, { 'content-type': found.contentType }).end(found.content);
    const error = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>None</Message></Error>';
    return response.writeHead(404, { 'content-type': 'application/xml' }).end(error);
  });
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(s3.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const endpoint = await startS3();
  service = await startTestApp({
    guard: async () => ({ scope: administrator, credentialId: administrator.walletAddress }),
    imageStore: createS3ImageStore({ bucket: 'shop-images', region: 'eu-west-1', endpoint, credentials }),
  });
});
afterAll(async () => {
  await service.close();
  s3.closeAllConnections();
  s3.close();
});
beforeEach(() => {
  isDown = false;
  requests.length = 0;
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
  expect(requests).toEqual([
    {
      method: 'PUT',
      path: `/shop-images/images/${name}`,
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=an-access-key\/\d{8}\/eu-west-1\/s3\//,
      ),
    },
  ]);
  const stored = objects.get(`/shop-images/images/${name}`);
  expect(stored?.contentType).toBe('image/png');
  const served = await fetch(data.imageUrl);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await served.arrayBuffer())).toEqual(stored?.content);
  // Once it was read, the process has it.
  await fetch(data.imageUrl);
  expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
});

it('is a 404 for an image that the bucket does not have', async () => {
  expect((await fetch(`${service.origin}/images/${'1'.repeat(64)}.webp`)).status).toBe(404);
});

it('asks the bucket only for names that an image can have', async () => {
  for (const name of ['secrets.json', '..%2f..%2fother-bucket%2fx.png', `${'1'.repeat(64)}.svg`]) {
    expect((await fetch(`${service.origin}/images/${name}`)).status).toBe(404);
  }
  expect(requests).toEqual([]);
});

it('is a 503 without internals while the bucket is down', async () => {
  isDown = true;
  for (const response of [await upload(), await fetch(`${service.origin}/images/${'2'.repeat(64)}.png`)]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    const text = await response.text();
    expect(text).toContain('UNAVAILABLE');
    expect(text).not.toContain('shop-images');
  }
  expect(service.logLines.join('\n')).not.toContain(credentials.secretAccessKey);
}, 30_000);
