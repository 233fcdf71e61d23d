import type { OpenApiDocument } from '@keyfront/api-reference';
import { referenceTopics } from '@keyfront/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import {
  hashContent,
  type PrecompressedFile,
  precompressedFile,
  precompressFile,
  sendPrecompressed,
} from '../precompressed-file.ts';
import { readGuideImages, readGuides } from './guides.ts';
import { makeOpenApiDocument } from './openapi-document.ts';

interface ReferenceDependencies {
  readonly baseUrl: () => string;
  readonly stagingUrl: string | null;
}

const paths = { home: 'docs', openApi: `${versionPrefix.slice(1)}/openapi.json` };

/** Pages load their own style sheet and scripts and nothing else, and scripts cannot turn text into markup. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

type Files = Map<string, PrecompressedFile>;

/** Serves the OpenAPI document, the reference page and the guides. */
export function addReferenceRoutes(app: FastifyInstance, dependencies: ReferenceDependencies): void {
  // All of it is made for the first request: only a server that listens knows its address.
  const makeDocument = memoize(() => makeOpenApiDocument(dependencies.baseUrl(), dependencies.stagingUrl));
  app.get(`/${paths.openApi}`, serveFrom(memoize(async () => compressDocument(await makeDocument()))));

  const serveSite = serveFrom(memoize(async () => compressSite(await makeDocument())));
  app.get('/docs', serveSite);
  app.get('/docs/*', serveSite);
  // Relative, like all links of the site.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs'));
  app.get('/docs/guides', (_request, reply) => reply.redirect('../docs#page-guides'));
}

function serveFrom(getFiles: () => Promise<Files>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { path } = targetOf(request);
    const file = (await getFiles()).get(path.slice(1));
    if (!file) throw new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${path}` });
    return sendPrecompressed(request, reply, file);
  };
}

function memoize<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function compressDocument(document: OpenApiDocument): Promise<Files> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };
  return new Map([[paths.openApi, await precompressFile(JSON.stringify(document), headers)]]);
}

async function compressSite(document: OpenApiDocument): Promise<Files> {
  // Loaded with the first page, because it takes a tenth of the time that the service has to start in.
  const { buildReferenceSite } = await import('@keyfront/api-reference');
  const site = await buildReferenceSite(document, {
    paths,
    topics: referenceTopics,
    guides: await readGuides(),
    payloadProperty: 'data',
  });
  const files = site.map(async ({ path, contentType, content, isVersioned }) => {
    const headers = {
      'content-type': contentType,
      'cache-control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(contentType.startsWith('text/html') ? { 'content-security-policy': pagePolicy } : {}),
    };
    return [path, await precompressFile(content, headers)] as const;
  });
  return new Map([...(await Promise.all(files)), ...(await readImages())]);
}

/** Pages name images relative to themselves, as their Markdown does. */
async function readImages(): Promise<Files> {
  const headers = { 'content-type': 'image/webp', 'cache-control': 'no-cache' };
  const images = [...(await readGuideImages())];
  return new Map(
    images.map(([path, content]) => [
      `${paths.home}/guides/${path}`,
      precompressedFile({ hash: hashContent(content), headers, plain: content }),
    ]),
  );
}
