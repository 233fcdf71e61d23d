import type { RouteHandlerMethod } from 'fastify';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import { compileInput } from '../input/compile-input.ts';
import { costOfResponse } from '../responses/cost-of-response.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { runOncePerNonce } from './run-once-per-nonce.ts';
import { defaultEvent, describeCaller, recordSuccess } from './security-events.ts';

/** Handles PUT, PATCH and DELETE. A change is completed even if the client disconnects. */
export function createChangeHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  { after, securityEvent = defaultEvent(operation) }: AnyRouteOptions,
  dependencies: PipelineDependencies,
): RouteHandlerMethod {
  const { access, status } = operation;
  const { concurrencyLimits, guard, securityLog, unreadResponses } = dependencies;
  const authenticate = createAuthentication(operation, guard);
  const readInput = compileInput(operation);
  return async (request, reply) => {
    const caller = await authenticate(request, reply);
    const { scope } = caller;
    const input = readInput(request);
    unreadResponses.check(scope.walletAddress);
    const change = async () => handle(callOf(input, scope));
    const body = await concurrencyLimits.requests.run(
      scope.walletAddress,
      async () =>
        serializeSuccess(
          reply,
          status,
          await runOncePerNonce(dependencies, { request, access, scope, change }),
        ),
      new SocketConnection(request.raw.socket),
      costOfResponse,
    );
    await after?.();
    if (securityEvent) {
      // The schema of the operation has checked that it is an id.
      const [subject] = Object.values(request.params as Record<string, string>);
      recordSuccess(securityLog, securityEvent, request, describeCaller(caller), subject);
    }
    unreadResponses.add(scope.walletAddress, body.length, reply.raw);
    return reply.code(status).type(jsonType).send(body);
  };
}
