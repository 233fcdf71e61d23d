import type { FastifyInstance } from 'fastify';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { type PrecompressedFile, precompressFile, sendPrecompressed } from '../precompressed-file.ts';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** Serves the collection for Postman. */
export function addPostmanRoute(
  app: FastifyInstance,
  { baseUrl, version }: { readonly baseUrl: () => string; readonly version: string },
): void {
  let file: Promise<PrecompressedFile> | undefined;
  app.get(`${versionPrefix}/postman.json`, async (request, reply) => {
    // Made for the first request: only a server that listens knows its address, and most starts need it never.
    file ??= import('@keyfront/postman').then(({ describeCollection }) =>
      precompressFile(JSON.stringify(describeCollection({ baseUrl: baseUrl(), version })), headers),
    );
    return sendPrecompressed(request, reply, await file);
  });
}
