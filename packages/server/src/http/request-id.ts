import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// What is safe to repeat in a header and a log line, and long enough for any tracing system's own form.
const saneId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The caller's `x-request-id` when it is sane, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && saneId.test(given) ? given : randomUUID();
}
