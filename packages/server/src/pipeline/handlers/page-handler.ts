import type { FastifyReply, RouteHandlerMethod } from 'fastify';
import type { HtmlPage } from '../responses/html-page.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { createReadHandler, type Read } from './read-handler.ts';
import { createLimit } from './read-within-limit.ts';

/** Handles a GET that responds with a page for people. Errors are JSON, as everywhere. */
export function createPageHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  options: AnyRouteOptions,
  dependencies: PipelineDependencies,
): RouteHandlerMethod {
  const { concurrencyLimits, unreadResponses } = dependencies;
  const runWithinLimit = createLimit(operation, concurrencyLimits);

  async function send({ reply, scope, connection, input }: Read): Promise<FastifyReply> {
    const read = input();
    const { walletAddress } = scope;
    unreadResponses.check(walletAddress);
    const work = async () => {
      const page = (await handle(callOf(read, scope))) as HtmlPage;
      reply.header('content-security-policy', page.contentSecurityPolicy);
      return page.html;
    };
    const html = await runWithinLimit(read, { walletAddress, work, connection });
    unreadResponses.add(walletAddress, html.length, reply.raw);
    return reply.type('text/html; charset=utf-8').send(html);
  }

  return createReadHandler(operation, handle, options, dependencies, send);
}
