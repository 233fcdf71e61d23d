import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Caller, CallerScope } from '../../auth/guard.ts';
import type { ReadRoute } from '../../database/connection/read-route.ts';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import { compileInput, type Input } from '../input/compile-input.ts';
import { serializePage } from '../responses/serialize-page.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { createLimit, isPaged } from './read-within-limit.ts';

/** A read whose caller is authenticated. */
export interface Read {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  /** The scope of the caller. Its queries are cancelled when the client disconnects. */
  readonly scope: CallerScope;
  readonly connection: ClientConnection;
  readonly input: () => Input;
}

/** Sends another representation than JSON. Returns null if the caller prefers JSON. */
type SendOther = (read: Read) => Promise<FastifyReply> | null;

/** Handles a GET: responds with a resource or a page of a list. `sendOther` may respond in another form. */
export function createReadHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  { readsReplica = false }: AnyRouteOptions,
  { concurrencyLimits, database, guard, unreadResponses }: PipelineDependencies,
  sendOther?: SendOther,
): RouteHandlerMethod {
  const { status } = operation;
  const authenticate = createAuthentication(operation, guard);
  const readInput = compileInput(operation);
  const runWithinLimit = createLimit(operation, concurrencyLimits);
  const hasPages = isPaged(operation);
  return async (request, reply) => {
    const caller = await authenticate(request, reply);
    const connection = new SocketConnection(request.raw.socket);
    const scope = readScope(caller.scope, connection, readsReplica ? database.beginReplicaRead() : undefined);
    if (sendOther) {
      reply.header('vary', 'accept');
      const sending = sendOther({
        request,
        reply,
        caller,
        scope,
        connection,
        input: () => readInput(request),
      });
      if (sending) return sending;
    }
    const input = readInput(request);
    const { walletAddress } = scope;
    unreadResponses.check(walletAddress);
    const serialize = (part: unknown) => serializeSuccess(reply, status, part);
    const work = async () => {
      const data = await handle(callOf(input, scope));
      // The response is serialized in its place, too: for a large one that takes longer than anything else.
      return hasPages ? serializePage(data as object, serialize) : serialize(data);
    };
    const body = await runWithinLimit(input, { walletAddress, work, connection });
    unreadResponses.add(walletAddress, body.length, reply.raw);
    return reply.code(status).type(jsonType).send(body);
  };
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
