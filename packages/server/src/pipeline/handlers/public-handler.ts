import { type Operation, success } from '@keyfront/protocol';
import type { RouteHandlerMethod } from 'fastify';
import { compileInput } from '../input/compile-input.ts';
import type { AnyHandler, AnyRouteOptions } from './call.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { recordSuccess } from './security-events.ts';

/** Handles an operation that needs no credentials. */
export function createPublicHandler(
  operation: Operation,
  handle: AnyHandler,
  { securityEvent, describeActor }: AnyRouteOptions,
  { limits, securityLog }: PipelineDependencies,
): RouteHandlerMethod {
  const { method, rateLimit = 'address', status } = operation;
  const readInput = compileInput(operation);
  return async (request, reply) => {
    // The others have been counted before their bodies were read.
    if (method === 'GET') reply.headers(await limits.take(rateLimit, request.ip));
    reply.code(status);
    const input = readInput(request);
    const data = await handle(input);
    if (securityEvent) recordSuccess(securityLog, securityEvent, request, describeActor?.(input.body) ?? {});
    return success(status, data);
  };
}
