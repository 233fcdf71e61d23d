import type { BuiltRequest } from './build-request.ts';
import { type ExplorerOperation, takesFile } from './read-openapi.ts';

/** The headers of a request by name. Secrets and values that differ each time are described, not shown. */
export function listHeaders(
  operation: ExplorerOperation,
  { body }: Pick<BuiltRequest, 'body'>,
): Record<string, string> {
  const { access, contentType, takesIdempotencyKey } = operation;
  const hasBody = body !== undefined || takesFile(operation);
  return {
    accept: 'application/json',
    ...(hasBody && contentType !== null ? { 'content-type': contentType } : {}),
    ...(takesIdempotencyKey ? { 'idempotency-key': '<a new UUID>' } : {}),
    ...(access === 'credential' ? { authorization: 'Bearer <the token of your session>' } : {}),
    ...(access === 'provider'
      ? {
          'webhook-id': '<the id of the message>',
          'webhook-timestamp': '<the time in seconds>',
          'webhook-signature': '<v1,… with the secret of the provider>',
        }
      : {}),
  };
}
