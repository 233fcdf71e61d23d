import { isGuarded, type Operation } from '@keyfront/protocol';
import type { preParsingHookHandler } from 'fastify';
import type { Guard, GuardedAccess } from '../auth/guard.ts';
import { hasBody } from '../lib/request/has-body.ts';
import { checkCallbackHeaders } from './callbacks/authenticate-callback.ts';
import type { PipelineDependencies } from './handlers/pipeline-dependencies.ts';
import { hideMalformedContentType, setBodyOwner } from './input/request-body.ts';

/** Returns a hook that checks the headers before the body is read, and says whose memory the body takes. */
export function createBodyCheck(
  operation: Operation,
  dependencies: PipelineDependencies,
): preParsingHookHandler {
  const { access } = operation;
  if (!isGuarded(access)) return createPublicBodyCheck(operation, dependencies);
  return createGuardedBodyCheck(access, dependencies.guard);
}

/** The same for a route that only callers with a credential use. */
export function createGuardedBodyCheck(access: GuardedAccess, guard: Guard): preParsingHookHandler {
  return async (request, reply, payload) => {
    hideMalformedContentType(request);
    if (!hasBody(request)) return payload;
    setBodyOwner(request, reply, guard.checkHeaders ? await guard.checkHeaders(request, access) : null);
    return payload;
  };
}

/** Counts a public request for its rate limit, before its body is read. */
function createPublicBodyCheck(
  operation: Operation,
  dependencies: PipelineDependencies,
): preParsingHookHandler {
  const { provider, rateLimit = 'address' } = operation;
  const { callbackSecrets, limits } = dependencies;
  return async (request, reply, payload) => {
    hideMalformedContentType(request);
    reply.headers(await limits.take(rateLimit, request.ip));
    if (!hasBody(request)) return payload;
    if (provider) await checkCallbackHeaders(request, callbackSecrets[provider], limits);
    setBodyOwner(request, reply, null);
    return payload;
  };
}
