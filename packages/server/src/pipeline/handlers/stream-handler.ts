import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { prefersJson, sendStream, sendStreamHeaders } from '../responses/file-response.ts';
import { createAuthorizationCheck } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { createReadHandler, type Read } from './read-handler.ts';

/** Handles a GET that responds with a stream of events, and with one page of JSON to callers who prefer it. */
export function createStreamHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  options: AnyRouteOptions,
  dependencies: PipelineDependencies,
  { contentType, makeStream }: { contentType: string; makeStream: NonNullable<AnyRouteOptions['stream']> },
): RouteHandlerMethod {
  const { concurrencyLimits, guard, stallTimeoutMs } = dependencies;
  const checkAuthorization = createAuthorizationCheck(operation, guard);

  async function send({ request, reply, caller, scope, connection, input }: Read): Promise<FastifyReply> {
    const chunks = makeStream({
      ...callOf(input(), scope),
      isStillAuthorized: () => checkAuthorization(request, caller),
      signatureEndsAtMs: caller.signatureEndsAtMs,
      lastEventId: readLastEventId(request),
    });
    if (reply.request.method === 'HEAD') return sendStreamHeaders(reply, contentType);
    // The place is taken until the stream ends.
    const place = await concurrencyLimits.streams.admit(scope.walletAddress, connection);
    return sendStream(reply, contentType, chunks, { stallTimeoutMs, place });
  }

  return createReadHandler(operation, handle, options, dependencies, (read) =>
    prefersJson(read.request.headers.accept, contentType) ? null : send(read),
  );
}

function readLastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  // Browsers send an empty one before the first event.
  return typeof id === 'string' && id !== '' ? id : undefined;
}
