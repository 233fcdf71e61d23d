import type { RouteHandlerMethod } from 'fastify';
import { targetOf } from '../../lib/request/request-target.ts';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import { compileInput } from '../input/compile-input.ts';
import { costOfResponse } from '../responses/cost-of-response.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication } from './authenticate-caller.ts';
import type { AnyHandler, GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Handles a read whose response is the same for every caller. */
export function createCachedHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  cache: ResponseCache,
  { guard, concurrencyLimits }: PipelineDependencies,
): RouteHandlerMethod {
  const { id, status } = operation;
  const authenticate = createAuthentication(operation, guard);
  const readInput = compileInput(operation);
  return async (request, reply) => {
    const {
      scope: { walletAddress },
    } = await authenticate(request, reply);
    reply.type(jsonType);
    const { url } = targetOf(request);
    const cached = cache.find(url);
    if (cached) return reply.send(cached);
    const input = readInput(request);
    const name = `${id} ${JSON.stringify([input.parameters, input.query])}`;
    const create = async () => serializeSuccess(reply, status, await handle(input));
    // Each request that waits for the response takes a place of its own wallet. What rejects one rejects no other.
    const work = () => cache.getOrCreate(url, name, create);
    const connection = new SocketConnection(request.raw.socket);
    return reply.send(await concurrencyLimits.requests.run(walletAddress, work, connection, costOfResponse));
  };
}
