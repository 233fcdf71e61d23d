import type { Operation } from '@keyfront/protocol';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../lib/errors/actor.ts';
import type { SecurityEventName } from '../../observability/security-event.ts';
import type { SecurityLog } from '../../observability/security-log.ts';
import { describeRequest } from './record-rejection.ts';

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
