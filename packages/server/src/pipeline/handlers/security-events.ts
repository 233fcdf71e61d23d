import type { ErrorCode, Operation } from '@keyfront/protocol';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/guard.ts';
import type { Actor } from '../../lib/errors/actor.ts';
import type { ApiError } from '../../lib/errors/api-error.ts';
import { addressText } from '../../observability/address-text.ts';
import type { SecurityEvent, SecurityEventName } from '../../observability/security-event.ts';
import type { SecurityLog } from '../../observability/security-log.ts';

/** The 403 that are about the caller. All others are about the state of a resource. */
const deniedAccess: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_OWNED',
  'ADMINISTRATOR_REQUIRED',
  'HOLDER_REQUIRED',
  'DIGITAL_KEY_REQUIRED',
  'SCOPE_MISSING',
  'NETWORK_NOT_ALLOWED',
  'KEY_PROOF_INVALID',
  'PUBLIC_KEY_REFUSED',
  'OWNER_SIGNATURE_INVALID',
]);

/** Records an invalid credential or a 403: who was rejected, from where, what they called, and why. */
export function recordRejection(log: SecurityLog, request: FastifyRequest, error: ApiError): void {
  const event = nameRejection(error);
  if (event === null) return;
  const { caller } = request;
  const actor = error.actor ?? (caller ? describeCaller(caller) : {});
  const described = { ...describeRequest(event, request), ...actor, code: error.code };
  log.recordRejection(described, caller?.scope.walletAddress ?? null);
}

/** Records a successful operation in the security log. */
export function recordSuccess(
  securityLog: SecurityLog,
  event: SecurityEventName,
  request: FastifyRequest,
  actor: Actor,
  subject?: string,
): void {
  const described = { ...describeRequest(event, request), ...actor };
  securityLog.record(subject === undefined ? described : { ...described, subject });
}

/** The event of an operation that names none. */
export function defaultEvent({ access, method }: Operation): SecurityEventName | undefined {
  return access === 'administrator' && method !== 'GET' ? 'admin.acted' : undefined;
}

/** The fields that every event of a request has. */
function describeRequest(event: SecurityEventName, request: FastifyRequest): SecurityEvent {
  const { id: reqId, method } = request;
  const route = request.routeOptions.url ?? 'unknown';
  return { event, reqId, address: addressText(request.ip), method, route };
}

/** The credential of a holder is the id of an API key, or their wallet. */
export function describeCaller({ scope: { walletAddress: wallet }, credentialId }: Caller): Actor {
  return credentialId === wallet ? { wallet } : { keyId: credentialId, wallet };
}

function nameRejection({ status, code, actor }: ApiError): SecurityEventName | null {
  if (status === 401) return 'auth.failed';
  // Too many invalid credentials. Other limits reject nobody in particular.
  if (status === 429 && actor !== null) return 'auth.failed';
  if (status !== 403) return null;
  return deniedAccess.has(code) ? 'access.denied' : 'request.refused';
}
