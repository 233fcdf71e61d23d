import type { FastifyReply, RouteHandlerMethod } from 'fastify';
import { prefersContent, sendFile, sendFileHeaders } from '../responses/file-response.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { createReadHandler, type Read } from './read-handler.ts';

/** Handles a GET that responds with a file, such as CSV, to callers who prefer it, and with JSON to others. */
export function createFileHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  options: AnyRouteOptions,
  dependencies: PipelineDependencies,
  { contentType, makeFile }: { contentType: string; makeFile: NonNullable<AnyRouteOptions['file']> },
): RouteHandlerMethod {
  const { concurrencyLimits, stallTimeoutMs } = dependencies;

  async function send({ reply, scope, connection, input }: Read): Promise<FastifyReply> {
    const file = makeFile(callOf(input(), scope));
    if (reply.request.method === 'HEAD') return sendFileHeaders(reply, file);
    const { exports, adminExports } = concurrencyLimits;
    // The place is taken until the client has read the file, or has stopped reading.
    const place = await (scope.role === 'holder' ? exports : adminExports).admit(
      scope.walletAddress,
      connection,
    );
    return sendFile(reply, file, { stallTimeoutMs, place });
  }

  return createReadHandler(operation, handle, options, dependencies, (read) =>
    prefersContent(read.request.headers.accept, contentType) ? send(read) : null,
  );
}
