import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { CallerScope } from '../../auth/guard.ts';
import type { ReadRoute } from '../../database/connection/read-route.ts';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import { compileInput } from '../input/compile-input.ts';
import { prefersContent, prefersJson } from '../responses/file-response.ts';
import { serializePage } from '../responses/serialize-page.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication, createAuthorizationCheck } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { createLimit, isPaged } from './read-within-limit.ts';
import { describeCaller } from './record-rejection.ts';
import { defaultEvent, recordSuccess } from './record-success.ts';
import { runOncePerNonce } from './run-once-per-nonce.ts';
import { sendFileWithinLimit, sendStreamWithinLimit } from './send-within-limit.ts';

/** Handles a read, and a change that is not a POST. */
export function createPlainHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  options: AnyRouteOptions,
  parts: PipelineDependencies,
): RouteHandlerMethod {
  const { access, method, status, file, stream } = operation;
  const { concurrencyLimits, database, guard, securityLog, unreadResponses } = parts;
  const { readsReplica = false, securityEvent = defaultEvent(operation) } = options;
  const authenticate = createAuthentication(operation, guard);
  const checkAuthorization = createAuthorizationCheck(operation, guard);
  const readInput = compileInput(operation);
  const runWithinLimit = createLimit(operation, concurrencyLimits);
  const hasPages = isPaged(operation);
  return async (request, reply) => {
    const caller = await authenticate(request, reply);
    const connection = new SocketConnection(request.raw.socket);
    // A read is cancelled when the client disconnects. A change is completed.
    const scope =
      method === 'GET'
        ? readScope(caller.scope, connection, readsReplica ? database.beginReplicaRead() : undefined)
        : caller.scope;
    if (file && options.file) {
      reply.header('vary', 'accept');
      if (prefersContent(request.headers.accept, file.contentType)) {
        const response = options.file(callOf(readInput(request), scope));
        return sendFileWithinLimit(reply, response, { scope, connection }, parts);
      }
    }
    if (stream && options.stream) {
      reply.header('vary', 'accept');
      if (!prefersJson(request.headers.accept, stream.contentType)) {
        const lastEventId = readLastEventId(request);
        const isStillAuthorized = () => checkAuthorization(request, caller);
        const chunks = options.stream({
          ...callOf(readInput(request), scope),
          isStillAuthorized,
          signatureEndsAtMs: caller.signatureEndsAtMs,
          lastEventId,
        });
        const { contentType } = stream;
        return sendStreamWithinLimit(reply, { contentType, chunks }, { scope, connection }, parts);
      }
    }
    const input = readInput(request);
    const { walletAddress } = scope;
    unreadResponses.check(walletAddress);
    const change = async () => handle(callOf(input, scope));
    const serialize = (part: unknown) => serializeSuccess(reply, status, part);
    const work = async () => {
      const data = await (method === 'GET'
        ? change()
        : runOncePerNonce(parts, { request, access, scope, change }));
      // The response is serialized in its place, too: for a large one that takes longer than anything else.
      return hasPages ? serializePage(data as object, serialize) : serialize(data);
    };
    const body = await runWithinLimit(input, { walletAddress, work, connection });
    await options.after?.();
    if (securityEvent) {
      // The schema of the operation has checked that it is an id.
      const [subject] = Object.values(request.params as Record<string, string>);
      recordSuccess(securityLog, securityEvent, request, describeCaller(caller), subject);
    }
    unreadResponses.add(walletAddress, body.length, reply.raw);
    return reply.code(status).type(jsonType).send(body);
  };
}

function readLastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  // Browsers send an empty one before the first event.
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Lists the fields for the same reason as `callOf`. */
function readScope(
  scope: CallerScope,
  clientConnection: ClientConnection,
  replicaRead: ReadRoute | undefined,
): CallerScope {
  const { role, walletAddress, sessionId } = scope;
  if (role === 'wallet') return { role, walletAddress, sessionId, clientConnection, replicaRead };
  if (role === 'administrator') return { role, walletAddress, sessionId, clientConnection, replicaRead };
  const { holderId, tokenId } = scope;
  return { role, holderId, tokenId, walletAddress, sessionId, clientConnection, replicaRead };
}
