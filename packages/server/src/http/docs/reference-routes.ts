import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { addVary, readWeights, sendPrecompressed } from '../precompressed-file.ts';
import { DocsFiles } from './docs-files.ts';

interface ReferenceDependencies {
  readonly baseUrl: () => string;
  readonly stagingUrl: string | null;
  readonly isSandbox: boolean;
}

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

/** Serves the OpenAPI document, the reference and the guides. */
export function addReferenceRoutes(
  app: FastifyInstance,
  { baseUrl, stagingUrl, isSandbox }: ReferenceDependencies,
): void {
  const files = new DocsFiles(
    isSandbox ? 'docs-sandbox' : 'docs',
    () => ({ baseUrl: baseUrl(), stagingUrl }),
    (contentType) => (isHtml(contentType) ? { 'content-security-policy': pagePolicy } : {}),
  );
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { path } = targetOf(request);
    const file = await files.find(path.slice(1));
    if (!file) throw new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${path}` });
    if (!isHtml(file.headers['content-type'])) return sendPrecompressed(request, reply, file);
    addVary(reply, 'accept');
    const markdown = prefersMarkdown(request.headers.accept) ? await files.find(`${path.slice(1)}.md`) : null;
    return sendPrecompressed(request, reply, markdown ?? file);
  };
  for (const path of [`${versionPrefix}/openapi.json`, '/llms.txt', '/docs', '/docs.md', '/docs/*']) {
    app.get(path, serve);
  }
  // Relative, like all links of the site.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs'));
  app.get('/docs/guides', (_request, reply) => reply.redirect('../docs#page-guides'));
  app.get('/docs/operations', (_request, reply) => reply.redirect('../docs#page-operations'));
}

const isHtml = (contentType = '') => contentType.startsWith('text/html');

/** Whether the client names Markdown, and does not like HTML better. Browsers never name it. */
function prefersMarkdown(accept = ''): boolean {
  const weights = readWeights(accept);
  const markdown = weights.get('text/markdown') ?? 0;
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0);
}
