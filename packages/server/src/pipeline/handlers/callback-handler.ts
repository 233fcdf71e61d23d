import { type Operation, type Provider, success } from '@keyfront/protocol';
import type { RouteHandlerMethod } from 'fastify';
import { systemScope } from '../../database/transactions/scope.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { authenticateCallback } from '../callbacks/authenticate-callback.ts';
import { claimMessage } from '../callbacks/callback-queries.ts';
import { compileInput } from '../input/compile-input.ts';
import type { AnyHandler, AnyRouteOptions } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { recordSuccess } from './security-events.ts';

/** Handles the report of a provider in one transaction, which also records the id of its message. */
export function createCallbackHandler(
  operation: Operation & { readonly provider: Provider },
  handle: AnyHandler,
  { after }: AnyRouteOptions,
  { limits, database, callbackSecrets, securityLog }: PipelineDependencies,
): RouteHandlerMethod {
  const { provider, status } = operation;
  const readInput = compileInput(operation);
  return async (request, reply) => {
    const messageId = await authenticateCallback(request, callbackSecrets[provider], limits);
    const input = readInput(request);
    const data = await database.transaction(systemScope, async (tx) => {
      if (!(await claimMessage(tx, provider, messageId))) throw new ApiError('CALLBACK_REPEATED');
      return handle({ ...input, tx });
    });
    await after?.();
    recordSuccess(securityLog, 'provider.reported', request, { provider });
    reply.code(status);
    return success(status, data);
  };
}
