import type { Operation } from '@keyfront/protocol';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../lib/errors/actor.ts';
import { describeRequest } from '../../security-log/record-rejection.ts';
import type { SecurityEventName } from '../../security-log/security-event.ts';
import type { SecurityLog } from '../../security-log/security-log.ts';

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
