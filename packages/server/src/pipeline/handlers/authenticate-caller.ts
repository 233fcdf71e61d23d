import { scopesOf } from '@keyfront/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Guard, GuardedAccess } from '../../auth/guard.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import type { GuardedOperation } from './call.ts';

/** Returns a function that authenticates the caller of an operation, and throws the 403 if an API key lacks one of its scopes. */
export function createAuthentication(operation: GuardedOperation, guard: Guard) {
  const access = guardedAccessOf(operation);
  const scopes = scopesOf(operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const caller = await guard(request, reply, access);
    const missing = findMissingScope(scopes, caller);
    if (missing !== undefined) throw scopeMissing(missing);
    return caller;
  };
}

/** Returns a function that tells whether a caller may still call the operation that it has called. */
export function createAuthorizationCheck(operation: GuardedOperation, guard: Guard) {
  const access = guardedAccessOf(operation);
  const scopes = scopesOf(operation);
  return async (request: FastifyRequest, caller: Caller): Promise<boolean> => {
    if (!guard.reauthenticate) return true;
    const again = await guard.reauthenticate(request, access, caller);
    return again !== null && findMissingScope(scopes, again) === undefined;
  };
}

function guardedAccessOf({ access, needsNoDigitalKey }: GuardedOperation): GuardedAccess {
  return needsNoDigitalKey ? 'session' : access;
}

function findMissingScope(scopes: readonly string[], { keyScopes }: Caller): string | undefined {
  return keyScopes ? scopes.find((scope) => !keyScopes.has(scope)) : undefined;
}

function scopeMissing(scope: string): ApiError {
  return new ApiError('SCOPE_MISSING', { message: `The API key lacks the scope ${scope}` });
}
