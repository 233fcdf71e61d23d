import type { IncomingMessage } from 'node:http';
import { needsNonce } from '@keyfront/protocol';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './guard.ts';

const causes = new WeakMap<IncomingMessage, FastifyRequest>();

/**
 * Says which request has caused another one, which this process makes itself. The guard authenticates the cause in its place: by its
 * own headers and body, for the access of the route that is called, and as of now.
 */
export function setCause(caused: IncomingMessage, cause: FastifyRequest): void {
  causes.set(caused, cause);
}

/** The request whose credential counts: the cause, or the request itself if it came from outside. */
export function findCause(request: FastifyRequest): FastifyRequest {
  return causes.get(request.raw) ?? request;
}

/** The caller of a request that another one has caused. One that only reads uses up no nonce, as if it had come from outside. */
export function callerOfCaused(caller: Caller, { method }: FastifyRequest): Caller {
  if (caller.scope.role !== 'holder' || needsNonce(method)) return caller;
  const { nonce: _unused, ...scope } = caller.scope;
  return { ...caller, scope };
}
