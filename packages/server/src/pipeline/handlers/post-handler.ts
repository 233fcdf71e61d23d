import { takesIdempotencyKey } from '@keyfront/protocol';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Caller } from '../../auth/guard.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import {
  findIdempotencyKeyIssues,
  type IdempotentResponse,
  readIdempotencyKey,
  respondOnce,
  type Transact,
} from '../idempotency/idempotency.ts';
import { compileInput, type Input } from '../input/compile-input.ts';
import { costOfResponse } from '../responses/cost-of-response.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { describeCaller } from './record-rejection.ts';
import { defaultEvent, recordSuccess } from './record-success.ts';
import { runOncePerNonce } from './run-once-per-nonce.ts';

interface CreatingRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly input: Input;
}

/**
 * Handles a POST in one transaction, which also stores its response if the operation takes an `Idempotency-Key` and the caller sent one.
 * Other operations ignore the key: what must not be stored is not stored.
 */
export function createPostHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  { before, after, shareTransaction, securityEvent = defaultEvent(operation) }: AnyRouteOptions,
  parts: PipelineDependencies,
): RouteHandlerMethod {
  const { access, status, erasedWith } = operation;
  const { concurrencyLimits, database, guard, responseCipher: cipher, securityLog } = parts;
  const authenticate = createAuthentication(operation, guard);
  const takesKey = takesIdempotencyKey(operation);
  const readInput = takesKey ? compileInput(operation, findIdempotencyKeyIssues) : compileInput(operation);

  async function create({ request, reply, caller, input }: CreatingRequest): Promise<IdempotentResponse> {
    const { credentialId, scope } = caller;
    const key = takesKey ? readIdempotencyKey(request) : null;
    const transact: Transact = (work) => {
      if (!shareTransaction || scope.role !== 'holder') return database.transaction(scope, work);
      const ofBody = shareTransaction.conflictKeysOf(input.body);
      const conflictKeys = key === null ? ofBody : [...ofBody, `${credentialId} ${key}`];
      return database.shareTransaction(scope, conflictKeys, work);
    };
    const work = async (tx: RunInTransaction) => {
      const data = await handle(callOf(input, scope, tx));
      return {
        statusCode: status,
        body: Buffer.from(serializeSuccess(reply, status, data)),
        subjectId: erasedWith ? (data as Record<typeof erasedWith, string>)[erasedWith] : null,
      };
    };
    if (key === null) return { ...(await transact(work)), isReplayed: false };
    const { method, body } = request;
    const { url } = targetOf(request);
    return respondOnce(transact, { request: { method, url, body }, caller, key, cipher }, work);
  }

  return async (request, reply) => {
    const caller = await authenticate(request, reply);
    const { scope } = caller;
    const input = readInput(request);
    if (before) await before(input);
    const change = () => create({ request, reply, caller, input });
    const response = await concurrencyLimits.requests.run(
      scope.walletAddress,
      () => runOncePerNonce(parts, { request, access, scope, change }),
      new SocketConnection(request.raw.socket),
      ({ body }) => costOfResponse(body),
    );
    await after?.();
    if (response.isReplayed) reply.header('idempotent-replayed', 'true');
    else if (securityEvent) {
      recordSuccess(securityLog, securityEvent, request, describeCaller(caller), readId(response.body));
    }
    return reply.code(response.statusCode).type(jsonType).send(response.body);
  };
}

/** The id of what was created. The response was serialized in the transaction, so it is read from its text. */
function readId(body: Buffer): string | undefined {
  const { data } = JSON.parse(body.toString()) as { data?: { id?: string } | null };
  return data?.id;
}
