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
  type Work,
} from '../idempotency/idempotency.ts';
import { compileInput, type Input } from '../input/compile-input.ts';
import { costOfResponse } from '../responses/cost-of-response.ts';
import { jsonType, serializeSuccess } from '../responses/serialize-success.ts';
import { createAuthentication } from './authenticate-caller.ts';
import { type AnyHandler, type AnyRouteOptions, callOf, type GuardedOperation } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { runOncePerNonce } from './run-once-per-nonce.ts';
import { defaultEvent, describeCaller, recordSuccess } from './security-events.ts';

/**
 * Handles a POST in one transaction, which also stores its response if the operation takes an `Idempotency-Key` and the caller sent one.
 * Other operations ignore the key: what must not be stored is not stored.
 */
export function createPostHandler(
  operation: GuardedOperation,
  handle: AnyHandler,
  {
    before,
    after,
    shareTransaction,
    hasOwnTransactions = false,
    inTurn = (_scope, work) => work(),
    transactionScope = (scope) => scope,
    securityEvent = defaultEvent(operation),
  }: AnyRouteOptions,
  dependencies: PipelineDependencies,
): RouteHandlerMethod {
  const { access, status, erasedWith } = operation;
  const { concurrencyLimits, database, guard, responseCipher: cipher, securityLog } = dependencies;
  const authenticate = createAuthentication(operation, guard);
  const takesKey = takesIdempotencyKey(operation);
  const validate = takesKey ? compileInput(operation, findIdempotencyKeyIssues) : compileInput(operation);

  /** Admits the request to its turn: all requests of a wallet share its places. */
  const admit = (request: FastifyRequest, { scope }: Caller, work: () => Promise<IdempotentResponse>) =>
    concurrencyLimits.requests.run(
      scope.walletAddress,
      work,
      new SocketConnection(request.raw.socket),
      ({ body }) => costOfResponse(body),
    );

  /** Begins the transaction, alone or together with others of the caller. */
  const begin =
    (caller: Caller, { body }: Input, key: string | null): Transact =>
    (work) => {
      const { credentialId } = caller;
      const scope = transactionScope(caller.scope);
      if (!shareTransaction || scope.role !== 'holder') return database.transaction(scope, work);
      const ofBody = shareTransaction.conflictKeysOf(body);
      const conflictKeys = key === null ? ofBody : [...ofBody, `${credentialId} ${key}`];
      return database.shareTransaction(scope, conflictKeys, work);
    };

  /** Claims the `Idempotency-Key`, runs the work and stores its response; or returns the stored response. */
  const claim = (transact: Transact, request: FastifyRequest, caller: Caller, key: string, work: Work) => {
    const { method, body } = request;
    const { url } = targetOf(request);
    return respondOnce(transact, { request: { method, url, body }, caller, key, cipher }, work);
  };

  /** Handles the request in the transaction. The response is serialized there, because it is stored there. */
  const handleIn =
    (reply: FastifyReply, { scope }: Caller, input: Input) =>
    async (tx?: RunInTransaction) => {
      const data = await handle(callOf(input, scope, tx));
      return {
        statusCode: status,
        body: Buffer.from(serializeSuccess(reply, status, data)),
        subjectId: erasedWith ? (data as Record<typeof erasedWith, string>)[erasedWith] : null,
      };
    };

  /** Handles the request outside of a transaction, and then stores its response; or returns the stored response. */
  const handleOutside = async (
    handleNow: ReturnType<typeof handleIn>,
    claimWith: ((work: Work) => Promise<IdempotentResponse>) | null,
  ): Promise<IdempotentResponse> => {
    const notStored = new Error('The key is new');
    const stored = await claimWith?.(() => Promise.reject(notStored)).catch((error: unknown) => {
      if (error === notStored) return null;
      throw error;
    });
    if (stored) return stored;
    const response = await handleNow();
    return claimWith ? claimWith(async () => response) : { ...response, isReplayed: false };
  };

  return async (request, reply) => {
    const caller = await authenticate(request, reply);
    const input = validate(request);
    await before?.(input);
    const key = takesKey ? readIdempotencyKey(request) : null;
    const change = async () => {
      const transact = begin(caller, input, key);
      const work = handleIn(reply, caller, input);
      if (hasOwnTransactions) {
        const claimWith =
          key === null ? null : (stored: Work) => claim(transact, request, caller, key, stored);
        // The key is claimed in the turn, so that a repeated request finds the response of the first one.
        return inTurn(caller.scope, () => handleOutside(work, claimWith));
      }
      if (key === null) return { ...(await transact(work)), isReplayed: false };
      return claim(transact, request, caller, key, work);
    };
    const { scope } = caller;
    const response = await admit(request, caller, () =>
      runOncePerNonce(dependencies, { request, access, scope, change }),
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
