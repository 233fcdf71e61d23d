import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// Safe in a header and a log line, and long enough for the ids of tracing systems.
const safeId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Returns the caller's `x-request-id` if it is safe to repeat, otherwise a new id. */
export function getRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && safeId.test(given) ? given : randomUUID();
}
