import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { precompressFile, sendPrecompressed } from './precompressed-file.ts';

const content = 'A text that is worth compressing. '.repeat(100);
const app = fastify();
app.get('/large', async (request, reply) =>
  sendPrecompressed(request, reply, await precompressFile(content, { 'content-type': 'text/plain' })),
);
app.get('/small', async (request, reply) =>
  sendPrecompressed(request, reply, await precompressFile('a', { 'content-type': 'text/plain' })),
);
app.get('/cors', async (request, reply) => {
  reply.header('vary', 'Origin');
  return sendPrecompressed(request, reply, await precompressFile(content, {}));
});
afterAll(() => app.close());

const get = (accepted: string | undefined, headers: Record<string, string> = {}, url = '/large') =>
  app.inject({
    url,
    headers: { ...(accepted === undefined ? {} : { 'accept-encoding': accepted }), ...headers },
  });
const encodingFor = async (accepted: string | undefined) =>
  (await get(accepted)).headers['content-encoding'] ?? 'identity';

describe('a precompressed file', () => {
  it('is sent in the encoding that the client prefers', async () => {
    expect(await encodingFor(undefined)).toBe('identity');
    expect(await encodingFor('')).toBe('identity');
    expect(await encodingFor('gzip, deflate, br, zstd')).toBe('br');
    expect(await encodingFor('GZIP')).toBe('gzip');
    expect(await encodingFor('*')).toBe('br');
    expect(await encodingFor('br;q=0.5, gzip;q=0.8')).toBe('gzip');
    expect(await encodingFor('br;q=0, *;q=0.1')).toBe('gzip');
    expect(await encodingFor('identity, gzip;q=0.5')).toBe('identity');
    expect(await encodingFor('deflate')).toBe('identity');
    expect(await encodingFor('br;q=0, gzip;q=0')).toBe('identity');
    expect(await encodingFor('br;q=nonsense, gzip')).toBe('gzip');
  });

  it('has the same content in every encoding', async () => {
    expect(brotliDecompressSync((await get('br')).rawPayload).toString()).toBe(content);
    expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe(content);
    expect((await get(undefined)).payload).toBe(content);
  });

  it('is not sent in an encoding that makes it larger', async () => {
    const response = await get('br, gzip', {}, '/small');
    expect([response.headers['content-encoding'], response.payload]).toEqual([undefined, 'a']);
  });

  it('has a strong tag for each encoding, and only that one matches', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (name) => (await get(name)).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
    const [brotli = '', gzipped = ''] = tags;
    const statusWith = async (match: string) => (await get('br', { 'if-none-match': match })).statusCode;
    expect(await statusWith(brotli)).toBe(304);
    expect(await statusWith(`"other", W/${brotli}`)).toBe(304);
    expect(await statusWith('*')).toBe(304);
    expect(await statusWith(gzipped)).toBe(200);
    expect(await statusWith('"other"')).toBe(200);
  });

  it('adds to a Vary that is there already', async () => {
    expect((await get('br', {}, '/cors')).headers.vary).toBe('Origin, accept-encoding');
  });
});
